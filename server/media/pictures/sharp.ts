import sharp from 'sharp'

// libvips would otherwise guess the loader by content and render an SVG named .png.
const loaders = ['Jpeg', 'Png', 'Webp'].flatMap((type) => [
  `VipsForeignLoad${type}File`,
  `VipsForeignLoad${type}Buffer`,
])
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders })
sharp.cache(false)
sharp.concurrency(1)

export { sharp }
