"""What things look like, as pure functions from records to text."""
