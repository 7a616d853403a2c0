import { useEffect, useMemo, useState } from 'react'
import { useStore } from '../store.ts'
import { pickerLanguage, pickerWords } from '../words/picker.ts'
import { app, chat, connected, tell } from './chat.ts'
import { type CallTool, chatSource, picksIn, type ToolResult } from './chat-source.ts'
import { Picker } from './picker.tsx'
import type { PickerAsset } from './source.ts'

const callTool: CallTool = async (name, args) =>
  (await app.callServerTool({ name, arguments: { ...args } })) as ToolResult

/** The picker in a chat: an agent's proposals, all else that there is, and what the person says to it. */
export function ChatPicker() {
  const { host, asked, result } = useStore(chat)
  const language = pickerLanguage(host.locale)
  const words = pickerWords(language)
  const [isConnected, setConnected] = useState(false)
  const [said, setSaid] = useState<{ text: string; isHeard: boolean } | null>(null)
  const source = useMemo(
    () => (asked ? chatSource(callTool, asked.clientId, result ?? undefined) : null),
    [asked, result],
  )
  const given = useMemo(() => (result ? picksIn(result) : undefined), [result])
  useEffect(() => {
    document.documentElement.lang = language
    if (host.theme) document.documentElement.dataset.theme = host.theme
  }, [language, host.theme])
  useEffect(() => {
    connected.then(() => setConnected(true))
  }, [])

  async function use(picked: PickerAsset[]) {
    const text = words.message(picked)
    const refs = picked.map(({ assetRef }) => assetRef)
    setSaid({ text, isHeard: await tell(text, refs).catch(() => false) })
  }

  // The tool's answer is what it begins with: nothing is asked for until that is there.
  if (!isConnected || !source || !result) return <p className="picker-note">{words.looking}</p>
  if (said)
    return (
      <main className="picker-notice">
        <h1>{said.isHeard ? words.sent : words.notSent}</h1>
        <p>{said.text}</p>
        <button type="button" className="picker-button" onClick={() => setSaid(null)}>
          {words.again}
        </button>
      </main>
    )
  return <Picker source={source} words={words} multiple given={given} onUse={use} />
}
