// Wrappers run one at a time: the time of an event is taken in the wrapper. None may hold up the agent.
const LONGEST_MS = 1500
const MOST_WAITING = 64
const SAME_WITHIN_MS = 1000
const waiting = []
let running = false
let last = { text: "", at: 0 }

function start({ event, text }, done) {
  try {
    const child = spawn(WRAPPER, [AGENT, event], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: { ...process.env, TMA_HOOK_PID: String(process.pid) },
    })
    child.on("error", done)
    child.on("exit", done)
    child.stdin.on("error", () => {})
    child.stdin.end(text)
    child.unref()
  } catch {
    done()
  }
}

function next() {
  const entry = waiting.shift()
  running = entry !== undefined
  if (!running) return
  let over = false
  const timer = setTimeout(done, LONGEST_MS)
  timer.unref?.()
  function done() {
    if (over) return
    over = true
    clearTimeout(timer)
    next()
  }
  start(entry, done)
}

function send(event, payload, { atOnce = false } = {}) {
  try {
    const text = JSON.stringify(payload)
    const now = Date.now()
    if (last.text === event + text && now - last.at < SAME_WITHIN_MS) return
    last = { text: event + text, at: now }
    if (atOnce) return start({ event, text }, () => {})
    if (waiting.length >= MOST_WAITING) waiting.shift()
    waiting.push({ event, text })
    if (!running) next()
  } catch {}
}
