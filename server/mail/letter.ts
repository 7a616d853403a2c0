import type { Language } from '../../contract/words.ts'
import type { Message } from './mailer.ts'

export interface Letter {
  to: string
  language: Language
  subject: string
  lines: string[]
  /** What it tells of, each with where that is. */
  items?: { text: string; url: string }[]
  /** What the reader is asked to do. */
  action?: { label: string; url: string }
  /** Smaller, at the end. */
  closing?: string
}

/** A letter as plain text and as simple HTML, which say the same. */
export function letter({ to, language, subject, lines, items = [], action, closing }: Letter): Message {
  const text = [
    ...lines,
    ...items.map((item) => `${item.text}\n${item.url}`),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(closing ? [closing] : []),
  ]
  const html = [
    ...lines.map((line) => `<p>${escaped(line)}</p>`),
    ...items.map((item) => `<p><a href="${escaped(item.url)}">${escaped(item.text)}</a></p>`),
    ...(action ? [button(action), `<p style="${small}">${escaped(action.url)}</p>`] : []),
    ...(closing ? [`<p style="${small}">${escaped(closing)}</p>`] : []),
  ]
  return {
    to,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body style="${page}">${html.join('')}</body></html>`,
  }
}

const page = 'font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:2em auto;padding:0 1em;color:#1a1c22'
const small = 'font-size:13px;color:#5b606b;overflow-wrap:anywhere'

const button = ({ label, url }: { label: string; url: string }) =>
  `<p><a href="${escaped(url)}" style="display:inline-block;padding:.6em 1.2em;border-radius:8px;background:#3b4fd8;color:#fff;text-decoration:none">${escaped(label)}</a></p>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => entities[letter]!)
