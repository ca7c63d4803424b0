// tma pi bridge: reports what pi does to tma. Written by `tma install-hooks pi`.
import { spawn } from "node:child_process"

const AGENT = "pi"
// QUEUE

// pi before 1.6 has no `agent_settled`, and its `agent_end` also comes before an automatic retry, which
// only an error has.
const SETTLED_AFTER_MS = 10000
const SETTLED_SOON_MS = 300
const ending = (messages) => [...(messages ?? [])].reverse().find(({ role }) => role === "assistant")?.stopReason

export default function (pi) {
  if (!process.env.TMUX_PANE) return
  let active = false
  let settles = false
  let timer

  const on = (event, act) => {
    try {
      pi.on(event, (told, ctx) => {
        try {
          act(told ?? {}, ctx)
        } catch {}
      })
    } catch {}
  }
  const session = (ctx) => ({ session_id: ctx?.sessionManager?.getSessionId?.() ?? "" })

  const settled = (ctx, aborted) => {
    active = false
    clearTimeout(timer)
    send("agent_settled", { ...session(ctx), aborted })
    const usage = ctx?.getContextUsage?.()
    if (usage) send("context", { ...session(ctx), context_usage: usage })
  }

  on("session_start", (_, ctx) => send("session_start", session(ctx)))
  on("agent_start", (_, ctx) => {
    active = true
    clearTimeout(timer)
    send("agent_start", session(ctx))
  })
  on("tool_execution_start", (_, ctx) => send("tool_execution_start", session(ctx)))
  on("ui_prompt_start", (_, ctx) => send("ui_prompt_start", session(ctx)))
  on("ui_prompt_end", (_, ctx) => send("ui_prompt_end", { ...session(ctx), active }))
  on("agent_settled", ({ aborted }, ctx) => {
    settles = true
    settled(ctx, Boolean(aborted))
  })
  on("agent_end", ({ messages }, ctx) => {
    if (settles) return
    const reason = ending(messages)
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!settles) settled(ctx, reason === "aborted")
    }, reason === "error" ? SETTLED_AFTER_MS : SETTLED_SOON_MS)
    timer.unref?.()
  })
  on("session_shutdown", ({ reason }, ctx) => send("session_shutdown", { ...session(ctx), reason }, { atOnce: true }))
}
