# Shared by the scripts of this directory: where we are, which Python, a private environment, tmux.
# Sourced with `root` set to the project's directory. POSIX sh.

environment="$root/.venv"

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$*"
    exit 1
}

# Sets `python` to an interpreter of 3.11 or newer.
find_python() {
    for python in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
        [ -n "$python" ] || continue
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            return 0
        fi
    done
    die "Python 3.11 or newer is needed; set PYTHON to one."
}

# Prints the command that installs one package on this system; nothing where none is known.
install_command() {
    if command -v apt-get >/dev/null; then echo "apt-get install -y --no-install-recommends $1"
    elif command -v dnf >/dev/null; then echo "dnf install -y $1"
    elif command -v pacman >/dev/null; then echo "pacman -S --noconfirm --needed $1"
    elif command -v apk >/dev/null; then echo "apk add $1"
    elif command -v zypper >/dev/null; then echo "zypper --non-interactive install $1"
    elif command -v brew >/dev/null; then echo "brew install $1"
    fi
}

# Installs one package: at once as root, after a yes at a terminal, and never otherwise.
install_package() {
    line=$(install_command "$1")
    [ -n "$line" ] || die "$1 is missing, and no package manager known to this script is here. Install it and try again."
    case "$line" in
    brew*) ;;
    *) [ "$(id -u)" -eq 0 ] || line="sudo $line" ;;
    esac
    if [ "$(id -u)" -ne 0 ]; then
        [ -t 0 ] || die "$1 is missing. Install it with: $line"
        printf '%s is missing. Run "%s"? [y/N] ' "$1" "$line" >&2
        read -r answer
        case "$answer" in
        y | Y | yes) ;;
        *) die "Nothing was installed. Install $1 and try again." ;;
        esac
    fi
    case "$line" in
    apt-get*)
        DEBIAN_FRONTEND=noninteractive
        export DEBIAN_FRONTEND
        apt-get update -qq || say "The package lists could not be renewed; going on with the old ones."
        ;;
    esac
    # The words of the line are our own constants.
    # shellcheck disable=SC2086
    $line >&2 </dev/null || die "\"$line\" failed. Install $1 and try again."
}

need_tmux() {
    command -v tmux >/dev/null || install_package tmux
}

# Makes the private environment with the project and its development tools, once for each
# state of the two files that name them.
need_environment() {
    find_python
    wanted=$("$python" --version; cat "$root/pyproject.toml" "$root/uv.lock")
    [ -x "$environment/bin/python" ] && [ "$(cat "$environment/made-of" 2>/dev/null)" = "$wanted" ] && return 0
    say "Making a private environment in $environment"
    if command -v uv >/dev/null; then
        (cd "$root" && UV_PROJECT_ENVIRONMENT="$environment" uv sync --quiet --frozen --python "$python") ||
            die "uv could not make the private environment."
    else
        make_with_pip || die "pip could not make the private environment."
    fi
    printf '%s\n' "$wanted" >"$environment/made-of"
}

# The same with the interpreter's own tools; the development tools are read off pyproject.toml.
make_with_pip() {
    rm -rf -- "$environment"
    "$python" -m venv "$environment" >/dev/null 2>&1 || {
        install_package python3-venv
        "$python" -m venv "$environment" || return 1
    }
    tools=$("$python" -c '
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    print(*tomllib.load(file)["dependency-groups"]["dev"])' "$root/pyproject.toml") || return 1
    # Requirements without blanks, one word each.
    # shellcheck disable=SC2086
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check $tools --editable "$root" </dev/null
}
