// tma OpenCode bridge: reports what OpenCode does to tma. Written by `tma install-hooks opencode`.
import { spawn } from "node:child_process"

const AGENT = "opencode"
// QUEUE

// Sub-agents are sessions of their own: their dialogs stand in this pane, their ends are not the turn's.
const parents = new Map()
const open = new Map()

function rootOf(id) {
  for (let steps = 0; parents.has(id) && steps < 64; steps++) id = parents.get(id)
  return id
}

function busy(id) {
  if (!id || parents.has(id) || open.get(id)?.size) return
  send("user-prompt-submit", { session_id: id })
}

function over(event, id) {
  if (!id || parents.has(id)) return
  open.delete(id)
  send(event, { session_id: id })
}

function asked(event, { sessionID, id, requestID, permission }) {
  const root = rootOf(sessionID)
  const request = requestID ?? id
  if (!open.has(root)) open.set(root, new Set())
  open.get(root).add(request)
  send(event, { session_id: root, request_id: request, ...(permission ? { permission } : {}) })
}

function replied(event, { sessionID, requestID, permissionID, id, reply, response }) {
  const root = rootOf(sessionID)
  const request = requestID ?? permissionID ?? id
  open.get(root)?.delete(request)
  send(event, { session_id: root, request_id: request, ...(reply ?? response ? { reply: reply ?? response } : {}) })
}

function failed({ sessionID, error }) {
  over(error?.name === "MessageAbortedError" ? "interrupted" : "stop-failed", sessionID)
}

function status({ sessionID, status }) {
  const word = typeof status === "string" ? status : status?.type
  if (word === "busy" || word === "retry") busy(sessionID)
  if (word === "idle") over("stop", sessionID)
}

export const TmaBridge = async ({ serverUrl } = {}) => {
  const endpoint = String(serverUrl ?? "").replace(/\/+$/, "")
  const about = endpoint ? { api_endpoint: endpoint } : {}
  const handlers = {
    "session.created": ({ info, sessionID }) => {
      const id = info?.id ?? sessionID
      if (info?.parentID) parents.set(id, info.parentID)
      else send("session-start", { session_id: id, ...about })
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
  send("session-start", about)
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
