// tma OpenCode bridge: reports what OpenCode does to tma. Written by `tma install-hooks opencode`.
import { spawn } from "node:child_process"
import { connect } from "node:net"

const AGENT = "opencode"
// QUEUE

// Sub-agents are sessions of their own: their dialogs stand in this pane, their ends are not the turn's.
const parents = new Map()
// Several requests may wait at once. OpenCode shows one of them, and only that one is told: an answer goes to it by its
// id, and a person has seen no other.
const open = new Map()
const shown = new Map()

// OpenCode names an address also where it listens on no port; nothing is told before it is known whether it does.
const REACH_MS = 250
let reached = Promise.resolve({})

function reach(endpoint) {
  return new Promise((resolve) => {
    try {
      const { protocol, hostname, port, username, password } = new URL(endpoint)
      if (protocol !== "http:" || username || password) return resolve({})
      const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || 80 })
      const end = (about) => {
        socket.destroy()
        resolve(about)
      }
      socket.on("connect", () => end({ api_endpoint: endpoint }))
      socket.on("error", () => end({}))
      setTimeout(() => end({}), REACH_MS).unref?.()
    } catch {
      resolve({})
    }
  })
}

function tell(event, payload) {
  reached.then((about) => send(event, event === "session-start" ? { ...payload, ...about } : payload))
}

function rootOf(id) {
  for (let steps = 0; parents.has(id) && steps < 64; steps++) id = parents.get(id)
  return id
}

function busy(id) {
  if (!id || parents.has(id) || shown.has(id)) return
  tell("user-prompt-submit", { session_id: id })
}

function over(event, id) {
  if (!id) return
  const root = rootOf(id)
  for (const [request, { session }] of open.get(root) ?? []) if (session === id) open.get(root).delete(request)
  if (root !== id) return show(root)
  shown.delete(id)
  tell(event, { session_id: id })
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

// Its own order: permissions before questions, then by session and id. A sub-agent's sub-agent is not shown.
function show(root) {
  const [first] = [...(open.get(root)?.values() ?? [])].sort(
    (a, b) => a.rank - b.rank || compare(a.session, b.session) || compare(a.request, b.request),
  )
  if (shown.get(root) === first?.request) return
  if (!first) return shown.delete(root)
  shown.set(root, first.request)
  tell(first.event, { session_id: root, ...first.about })
}

function asked(event, { sessionID, id, requestID, permission }) {
  const root = rootOf(sessionID)
  const request = requestID ?? id
  const deep = parents.has(parents.get(sessionID))
  const rank = (deep ? 2 : 0) + (event === "question-required" ? 1 : 0)
  const about = { ...(deep ? {} : { request_id: request }), ...(permission ? { permission } : {}) }
  if (!open.has(root)) open.set(root, new Map())
  open.get(root).set(request, { event, rank, session: sessionID, request, about })
  show(root)
}

function replied(event, { sessionID, requestID, permissionID, id, reply, response }) {
  const root = rootOf(sessionID)
  const request = requestID ?? permissionID ?? id
  const known = open.get(root)?.delete(request)
  if (known && shown.get(root) !== request) return
  tell(event, { session_id: root, request_id: request, ...(reply ?? response ? { reply: reply ?? response } : {}) })
  show(root)
}

function failed({ sessionID, error }) {
  over(error?.name === "MessageAbortedError" ? "interrupted" : "stop-failed", sessionID)
}

function status({ sessionID, status }) {
  const word = typeof status === "string" ? status : status?.type
  if (word === "busy" || word === "retry") busy(sessionID)
  if (word === "idle") over("stop", sessionID)
}

export const TmaBridge = async (input) => {
  reached = reach(String(input?.serverUrl ?? "").replace(/\/+$/, ""))
  const handlers = {
    "session.created": ({ info, sessionID }) => {
      const id = info?.id ?? sessionID
      if (info?.parentID) parents.set(id, info.parentID)
      else tell("session-start", { session_id: id })
    },
    "session.status": status,
    "session.idle": ({ sessionID }) => over("stop", sessionID),
    "session.error": failed,
    "permission.asked": (told) => asked("permission-required", told),
    "permission.updated": (told) => asked("permission-required", told),
    "permission.replied": (told) => replied("permission-replied", told),
    "question.asked": (told) => asked("question-required", told),
    "question.replied": (told) => replied("question-replied", told),
    "question.rejected": (told) => replied("question-replied", told),
  }
  tell("session-start", {})
  return {
    event: async ({ event }) => {
      try {
        handlers[event?.type]?.(event.properties ?? {})
      } catch {}
    },
    "chat.message": async (input) => busy(input?.sessionID),
    "tool.execute.before": async (input) => busy(input?.sessionID),
  }
}
