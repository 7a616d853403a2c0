// An optional dependency whose own types cannot be found by the rules of `exports`.
declare module 'tesseract-wasm' {
  export const layoutFlags: { StartOfLine: number; EndOfLine: number }
  export function supportsFastBuild(): boolean
  export function createOCREngine(options: { wasmBinary: Uint8Array }): Promise<{
    loadModel(model: Uint8Array): void
    loadImage(image: ImageData): void
    clearImage(): void
    getTextBoxes(unit: 'line' | 'word'): { text: string; confidence: number; flags: number }[]
  }>
}
