import type { Words } from './marks.ts'

interface GeneratorMark {
  generator: string
  place?: Words['place'][]
  name?: RegExp
  words: RegExp
}

/** Where a program says what it is called. */
const software =
  /^(software|creatortool|encoder|©too|©swr|com\.apple\.quicktime\.software|softwareagent|claimgenerator|source)$/i

/**
 * The marks that programs which make pictures by AI leave beside them, as their sources and samples show. Read on 2026-11-16:
 * AUTOMATIC1111 stable-diffusion-webui (modules/images.py), ComfyUI (nodes.py, SaveImage; comfy_extras/nodes_images.py),
 * InvokeAI (image_files), Fooocus (modules/meta_parser.py), GB 45438-2025 with TC260's label.
 */
export const generatorMarks: GeneratorMark[] = [
  {
    generator: 'Stable Diffusion',
    words: /\bSteps: \d{1,6}, (?:[A-Z][\w ]{2,40}: [^,]{1,80}, ){0,6}?Sampler: /,
  },
  { generator: 'ComfyUI', name: /^(prompt|workflow)$/, words: /"(class_type|last_node_id)"\s*:/ },
  { generator: 'ComfyUI', place: ['exif'], words: /^(prompt|workflow):\s*\{/i },
  { generator: 'InvokeAI', place: ['png'], name: /^(invokeai_metadata|sd-metadata|dream)$/i, words: /./ },
  { generator: 'Fooocus', name: /^fooocus_scheme$/, words: /./ },
  { generator: 'Midjourney', name: /^description$/i, words: /\bJob ID: [0-9a-f]{8}-[0-9a-f]{4}-/ },
  // By the Chinese measures for labelling synthetic content, in force since September 2025: 1 generated, 2 perhaps, 3 suspected.
  { generator: 'AIGC', name: /AIGC/, words: /"?Label"?\s*[:=]\s*"?[123]\b/ },
  { generator: 'Google AI', name: /^credit$/i, words: /^(Made|Edited) with Google AI\b/i },
  ...[
    ['Adobe Firefly', /\bAdobe Firefly\b/],
    ['ComfyUI', /\bComfyUI\b/],
    ['DALL·E', /\bDALL[·. -]?E\b/],
    ['Fooocus', /\bFooocus\b/],
    ['Ideogram', /\bIdeogram(\.ai)?\b/],
    ['InvokeAI', /\bInvokeAI\b/],
    ['Leonardo.Ai', /\bLeonardo\.?Ai\b/i],
    ['Midjourney', /\bMidjourney\b/i],
    ['NovelAI', /\bNovelAI\b/],
    ['OpenAI', /\b(OpenAI|ChatGPT|GPT-4o|gpt-image)\b/],
    ['Runway', /\bRunway ?ML\b/i],
    ['Stable Diffusion', /\b(Stable Diffusion|SDXL|stability\.ai)\b/i],
  ].map(([generator, words]) => ({ generator, name: software, words }) as GeneratorMark),
]

export const generatorIn = (words: Words[]): string | null =>
  generatorMarks.find((mark) => words.some((one) => isLeft(mark, one)))?.generator ?? null

const isLeft = ({ place, name, words }: GeneratorMark, said: Words) =>
  (!place || place.includes(said.place)) && (!name || name.test(said.name)) && words.test(said.words)
