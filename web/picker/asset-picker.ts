import type { Answer, Hello } from './messages.ts'

/** What the frame needs and no more: neither forms nor downloads, and nothing of the page around it. */
const sandbox = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'

/**
 * `<asset-picker>`: the library's picker on a page of another site. It stands in a frame of the library's own origin,
 * where this page sees nothing of it; what somebody picks comes back as `asset-pick`.
 */
class AssetPicker extends HTMLElement {
  static observedAttributes = ['src', 'client', 'surface', 'multiple', 'lang', 'theme']
  #port: MessagePort | undefined
  #isDue = false

  connectedCallback() {
    this.#show()
  }

  disconnectedCallback() {
    this.#hush()
  }

  attributeChangedCallback() {
    // Once for all that change together.
    if (!this.isConnected || this.#isDue) return
    this.#isDue = true
    queueMicrotask(() => {
      this.#isDue = false
      if (this.isConnected) this.#show()
    })
  }

  #show() {
    this.#hush()
    const library = new URL(this.getAttribute('src') ?? import.meta.url, document.baseURI).origin
    const frame = document.createElement('iframe')
    frame.src = `${library}/picker`
    frame.title = this.getAttribute('title') ?? 'Asset picker'
    frame.setAttribute('sandbox', sandbox)
    frame.referrerPolicy = 'no-referrer'
    // Whenever it has loaded: a frame that was loaded anew has heard nothing yet.
    frame.addEventListener('load', () => this.#greet(frame, library))
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const style = document.createElement('style')
    style.textContent =
      ':host{display:block;height:560px}:host([hidden]){display:none}iframe{display:block;width:100%;height:100%;border:0}'
    root.replaceChildren(style, frame)
  }

  #greet(frame: HTMLIFrameElement, library: string) {
    this.#hush()
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.onmessage = ({ data }: MessageEvent<Answer>) => this.#answer(data)
    const attribute = (name: string) => this.getAttribute(name) || undefined
    const hello: Hello = {
      type: 'asset-picker',
      client: attribute('client'),
      surface: attribute('surface'),
      multiple: this.hasAttribute('multiple'),
      language: attribute('lang') ?? (document.documentElement.lang || undefined),
      theme: attribute('theme'),
    }
    // Nobody but the library gets the other end, whatever stands in the frame by now.
    frame.contentWindow?.postMessage(hello, library, [port2])
  }

  #answer(answer: Answer) {
    const say = (name: string, detail?: object) =>
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
    if (answer.type === 'cancel') say('asset-picker-cancel')
    if (answer.type === 'pick')
      say('asset-pick', { assetRefs: answer.assets.map(({ assetRef }) => assetRef), assets: answer.assets })
  }

  #hush() {
    this.#port?.close()
    this.#port = undefined
  }
}

if (!customElements.get('asset-picker')) customElements.define('asset-picker', AssetPicker)
