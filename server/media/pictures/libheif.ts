import { createRequire } from 'node:module'
import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js'
import type { ColourMark } from './hdr.ts'

// From heif.h; the enums are not exported to JavaScript.
const colourspaceRgb = 1
const chromaRgb = 10
const chromaRgba = 11
const channelInterleaved = 10

const require = createRequire(import.meta.url)
let loaded: MainModule | undefined

const load = (): MainModule => (loaded ??= require('libheif-js/wasm-bundle') as MainModule)

export const libheifVersion = (): string => {
  const lib = load()
  return [
    lib._heif_get_version_number_major(),
    lib._heif_get_version_number_minor(),
    lib._heif_get_version_number_maintenance(),
  ].join('.')
}

export interface HeifImage {
  width: number
  height: number
  hasAlpha: boolean
  /** Four letters: `hvc1`, `grid`, `av01`… */
  itemType: string
  icc: Uint8Array | undefined
  /** May stand beside an ICC profile. */
  nclx: ColourMark | undefined
  exif: Uint8Array | undefined
  xmp: Uint8Array | undefined
  thumbnail: HeifImage | undefined
  /** Every rotation, mirror and crop of the file is applied. */
  decode(): { data: Uint8Array; width: number; height: number; channels: 3 | 4 }
}

/**
 * Runs `look` on the primary image: not the first, which may be a burst's sibling. All that the library
 * allocated is freed afterwards; its WebAssembly memory never shrinks, though, until the process is replaced.
 */
export async function withPrimaryImage<T>(
  file: Uint8Array,
  maxSidePixels: number,
  look: (image: HeifImage) => T | Promise<T>,
): Promise<T> {
  const lib = load()
  const call = calling(lib)
  const bytes = call.keep(lib._malloc(file.length), lib._free)
  lib.HEAPU8.set(file, bytes)
  try {
    const context = call.keep(lib._heif_context_alloc(), lib._heif_context_free)
    lib._heif_context_set_maximum_image_size_limit(context, maxSidePixels)
    call.checked((error) =>
      lib._heif_context_read_from_memory_without_copy(error, context, bytes, file.length, 0),
    )
    const handle = call.pointer((error, out) =>
      lib._heif_context_get_primary_image_handle(error, context, out),
    )
    return await look(imageOf(lib, call, context, call.keep(handle, lib._heif_image_handle_release)))
  } finally {
    call.freeAll()
  }
}

type Calling = ReturnType<typeof calling>

/** C calls that answer with an error struct and fill an out parameter. */
function calling(lib: MainModule) {
  const kept: (() => void)[] = []
  const keep = (pointer: number, free: (pointer: number) => void) => {
    kept.push(() => free(pointer))
    return pointer
  }
  const error = keep(lib._malloc(12), lib._free)
  const out = keep(lib._malloc(8), lib._free)
  const word = (at: number) => new DataView(lib.HEAPU8.buffer).getUint32(at, true)

  const checked = (run: (error: number) => void) => {
    run(error)
    if (word(error) !== 0) throw new Error(stringAt(lib, word(error + 8)))
  }
  return {
    keep,
    word,
    checked,
    pointer(run: (error: number, out: number) => void): number {
      checked((error) => run(error, out))
      return word(out)
    },
    pointerIfAny(run: (error: number, out: number) => void): number | undefined {
      run(error, out)
      return word(error) === 0 ? word(out) : undefined
    },
    /** Copies `length` bytes that `fill` writes. */
    bytes(length: number, fill: (error: number, at: number) => void): Uint8Array {
      const at = lib._malloc(length)
      try {
        checked((error) => fill(error, at))
        return lib.HEAPU8.slice(at, at + length)
      } finally {
        lib._free(at)
      }
    },
    out,
    freeAll() {
      for (const free of kept.reverse()) free()
    },
  }
}

function imageOf(lib: MainModule, call: Calling, context: number, handle: number): HeifImage {
  return {
    width: lib._heif_image_handle_get_width(handle),
    height: lib._heif_image_handle_get_height(handle),
    hasAlpha: !!lib._heif_image_handle_has_alpha_channel(handle),
    itemType: letters(lib._heif_item_get_item_type(context, lib._heif_image_handle_get_item_id(handle))),
    get icc() {
      const size = lib._heif_image_handle_get_raw_color_profile_size(handle)
      if (!size) return undefined
      return call.bytes(size, (error, at) => lib._heif_image_handle_get_raw_color_profile(error, handle, at))
    },
    get nclx() {
      const profile = call.pointerIfAny((error, out) =>
        lib._heif_image_handle_get_nclx_color_profile(error, handle, out),
      )
      if (!profile) return undefined
      const found = { primaries: call.word(profile + 4), transfer: call.word(profile + 8) }
      lib._heif_nclx_color_profile_free(profile)
      return found
    },
    get exif() {
      const block = metadata(lib, call, handle, 'Exif')
      // The first four bytes say how far on the TIFF header is.
      return block && block.length > 4 ? block.subarray(4 + Buffer.from(block).readUInt32BE(0)) : undefined
    },
    get xmp() {
      return metadata(lib, call, handle, 'mime')
    },
    get thumbnail() {
      if (!lib._heif_image_handle_get_list_of_thumbnail_IDs(handle, call.out, 1)) return undefined
      const id = call.word(call.out)
      const small = call.pointer((error, out) => lib._heif_image_handle_get_thumbnail(error, handle, id, out))
      return imageOf(lib, call, context, call.keep(small, lib._heif_image_handle_release))
    },
    decode() {
      const channels = lib._heif_image_handle_has_alpha_channel(handle) ? 4 : 3
      const chroma = channels === 4 ? chromaRgba : chromaRgb
      const image = call.pointer((error, out) =>
        lib._heif_decode_image(error, handle, out, colourspaceRgb, chroma, 0),
      )
      try {
        return pixelsOf(lib, call, image, channels)
      } finally {
        lib._heif_image_release(image)
      }
    },
  }
}

function pixelsOf(lib: MainModule, call: Calling, image: number, channels: 3 | 4) {
  const width = lib._heif_image_get_width(image, channelInterleaved)
  const height = lib._heif_image_get_height(image, channelInterleaved)
  const plane = lib._heif_image_get_plane_readonly2(image, channelInterleaved, call.out)
  const stride = call.word(call.out)
  const row = width * channels
  const data = new Uint8Array(row * height)
  for (let y = 0; y < height; y++) {
    data.set(lib.HEAPU8.subarray(plane + y * stride, plane + y * stride + row), y * row)
  }
  return { data, width, height, channels }
}

function metadata(lib: MainModule, call: Calling, handle: number, type: string): Uint8Array | undefined {
  const count = lib._heif_image_handle_get_number_of_metadata_blocks(handle, 0)
  if (!count) return undefined
  const ids = call.keep(lib._malloc(count * 4), lib._free)
  lib._heif_image_handle_get_list_of_metadata_block_IDs(handle, 0, ids, count)
  for (let i = 0; i < count; i++) {
    const id = call.word(ids + i * 4)
    if (stringAt(lib, lib._heif_image_handle_get_metadata_type(handle, id)) !== type) continue
    const size = lib._heif_image_handle_get_metadata_size(handle, id)
    return call.bytes(size, (error, at) => lib._heif_image_handle_get_metadata(error, handle, id, at))
  }
  return undefined
}

function stringAt(lib: MainModule, start: number): string {
  if (!start) return ''
  const end = lib.HEAPU8.indexOf(0, start)
  return Buffer.from(lib.HEAPU8.subarray(start, end)).toString('utf8').trim()
}

function letters(fourcc: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(fourcc >>> 0)
  return bytes.toString('latin1')
}
