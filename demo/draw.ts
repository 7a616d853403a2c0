import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

/**
 * Draws the pictures that a first start is filled with, into demo/files. The files are kept in the project, so
 * this runs only when somebody wants to draw them anew: node demo/draw.ts (the video needs ffmpeg).
 */
const folder = new URL('./files/', import.meta.url).pathname
const W = 1600
const H = 1200

const sky = (id: string, from: string, to: string, h = H) =>
  `<defs><linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="${W}" height="${h}" fill="url(#${id})"/>`
const waves = (y: number, colour: string, shift = 0) => {
  const crests = Array.from({ length: 12 }, (_, i) => `q 75 ${-26 + ((i + shift) % 3) * 9} 150 0`).join(' ')
  return `<path d="M -50 ${y} ${crests} V ${H} H -50 Z" fill="${colour}"/>`
}
const boat = (x: number, y: number, s: number, sail: string) =>
  `<g transform="translate(${x} ${y}) scale(${s})"><path d="M-70 0 H70 L45 34 H-48 Z" fill="#3b2f2f"/><path d="M-4 -8 V-150 L66 -8 Z" fill="${sail}"/><path d="M-12 -8 V-120 L-58 -8 Z" fill="${sail}" opacity=".8"/></g>`
const cup = (x: number, y: number, r: number, saucer: string, coffee: string) =>
  `<g transform="translate(${x} ${y})"><ellipse cx="14" cy="20" rx="${r * 1.55}" ry="${r * 1.55}" fill="#000" opacity=".16"/><circle r="${r * 1.5}" fill="${saucer}"/><circle r="${r * 1.36}" fill="none" stroke="#000" stroke-opacity=".07" stroke-width="6"/><circle cx="${r * 1.12}" r="${r * 0.34}" fill="none" stroke="${saucer}" stroke-width="${r * 0.16}"/><circle r="${r}" fill="#fffaf2"/><circle r="${r * 0.86}" fill="${coffee}"/><path d="M0 ${r * 0.5} C ${-r * 0.62} ${r * 0.05} ${-r * 0.5} ${-r * 0.45} 0 ${-r * 0.14} C ${r * 0.5} ${-r * 0.45} ${r * 0.62} ${r * 0.05} 0 ${r * 0.5} Z" fill="#f3dfc1"/></g>`
const house = (x: number, w: number, h: number, wall: string, door: string) => {
  const windows = [0, 1].flatMap((row) =>
    [0, 1, 2].map(
      (col) =>
        `<rect x="${x + w * (0.12 + col * 0.29)}" y="${900 - h + 70 + row * 130}" width="${w * 0.18}" height="84" rx="6" fill="#fff4cf"/>`,
    ),
  )
  return `<rect x="${x}" y="${900 - h}" width="${w}" height="${h}" fill="${wall}"/><path d="M${x - 14} ${900 - h} L${x + w / 2} ${900 - h - 110} L${x + w + 14} ${900 - h} Z" fill="#7a3e34"/>${windows.join('')}<rect x="${x + w * 0.4}" y="760" width="${w * 0.2}" height="140" rx="6" fill="${door}"/>`
}
const lantern = (x: number, y: number, s: number, colour: string) =>
  `<g transform="translate(${x} ${y}) scale(${s})"><circle r="150" fill="${colour}" opacity=".18"/><circle r="95" fill="${colour}" opacity=".25"/><rect x="-34" y="-66" width="68" height="12" rx="4" fill="#2b2118"/><ellipse rx="52" ry="62" fill="${colour}"/><ellipse rx="24" ry="62" fill="#fff" opacity=".25"/><rect x="-34" y="54" width="68" height="12" rx="4" fill="#2b2118"/></g>`
const loaf = (x: number, y: number, a: number, s = 1) =>
  `<g transform="translate(${x} ${y}) rotate(${a}) scale(${s})"><ellipse cx="8" cy="22" rx="250" ry="112" fill="#000" opacity=".15"/><ellipse rx="245" ry="108" fill="#c98742"/><ellipse rx="225" ry="90" fill="#dda25c"/>${[-120, -40, 40, 120].map((dx) => `<path d="M${dx - 26} 58 Q ${dx} 0 ${dx + 26} -62" stroke="#f6dcae" stroke-width="20" fill="none" stroke-linecap="round"/>`).join('')}</g>`

const pictures: Record<string, string> = {
  'harbour-at-dawn.jpg': `${sky('a', '#f7b787', '#fde8c8', 800)}<circle cx="1120" cy="560" r="150" fill="#fff3d6"/><path d="M0 640 L260 520 L520 640 L800 500 L1180 650 L1600 540 V800 H0 Z" fill="#d98f6f"/>${waves(700, '#5f8f9e')}${boat(430, 790, 1.5, '#fff7ea')}${waves(830, '#47788a', 1)}${boat(1080, 920, 2, '#fbe2d0')}${waves(980, '#356377', 2)}`,
  'harbour-at-night.jpg': `${sky('b', '#101b3b', '#3b4d80', 800)}<circle cx="360" cy="250" r="90" fill="#f5f0d8"/>${Array.from({ length: 60 }, (_, i) => `<circle cx="${(i * 277) % W}" cy="${(i * 131) % 560}" r="${1 + (i % 3)}" fill="#fff" opacity=".8"/>`).join('')}<path d="M0 660 L340 560 L700 660 L1100 540 L1600 640 V800 H0 Z" fill="#1b2748"/>${waves(720, '#22386a')}${boat(1020, 830, 1.8, '#e9e2ff')}${waves(900, '#182a55', 1)}`,
  'morning-coffee.jpg': `<rect width="${W}" height="${H}" fill="#d7b28c"/>${Array.from({ length: 9 }, (_, i) => `<rect y="${i * 140}" width="${W}" height="4" fill="#b98f66"/>`).join('')}${cup(700, 620, 240, '#f2e6d8', '#6b4226')}<g transform="translate(1240 380) rotate(18)"><rect width="250" height="340" rx="10" fill="#fffdf7"/>${[60, 110, 160, 210, 260].map((y) => `<rect x="34" y="${y}" width="${180 - (y % 60)}" height="10" rx="5" fill="#c9bda9"/>`).join('')}</g>`,
  'two-espressos.jpg': `<rect width="${W}" height="${H}" fill="#28453f"/><circle cx="800" cy="620" r="560" fill="#315650"/>${cup(520, 560, 170, '#e9f1ec', '#4b2c19')}${cup(1060, 720, 170, '#e9f1ec', '#4b2c19')}`,
  'fresh-bread.jpg': `<rect width="${W}" height="${H}" fill="#efe3d0"/><rect x="180" y="160" width="1240" height="880" rx="40" fill="#b88a5a"/><rect x="180" y="160" width="1240" height="880" rx="40" fill="none" stroke="#9a7044" stroke-width="14"/>${loaf(640, 460, -14)}${loaf(960, 780, 10, 1.1)}`,
  'our-street.jpg': `${sky('c', '#9fd0ee', '#e9f5fb', 900)}${house(60, 300, 420, '#e8c36a', '#355c4b')}${house(390, 340, 520, '#d9735e', '#26465c')}${house(760, 300, 380, '#8fb59b', '#7a3e34')}${house(1090, 420, 470, '#f0e0c2', '#2f5d62')}<rect y="900" width="${W}" height="300" fill="#9b9389"/><rect y="900" width="${W}" height="26" fill="#c9c1b6"/>`,
  'lanterns.jpg': `${sky('d', '#3a1f3d', '#a4483f')}<path d="M0 210 Q 400 340 800 220 T 1600 240" stroke="#1d1020" stroke-width="7" fill="none"/>${lantern(260, 380, 1.2, '#ffb24d')}${lantern(620, 420, 1.5, '#ff7a59')}${lantern(1010, 380, 1.2, '#ffd166')}${lantern(1370, 400, 1.4, '#f4717f')}${waves(900, '#4a2032')}${waves(1040, '#371725', 1)}`,
  'terrace.jpg': `${sky('e', '#bfe3dd', '#f4fbf5')}<rect y="760" width="${W}" height="440" fill="#e3cfae"/>${[260, 800, 1340].map((x, i) => `<g transform="translate(${x} 0)"><rect x="-7" y="330" width="14" height="560" fill="#7c5c3e"/><path d="M-260 380 Q 0 ${130 + i * 16} 260 380 Z" fill="${['#e76f51', '#2a9d8f', '#f4a261'][i]}"/><ellipse cy="900" rx="170" ry="46" fill="#fffaf0"/><rect x="-12" y="900" width="24" height="170" fill="#8d6e4f"/></g>`).join('')}`,
  'winter-window.jpg': `<rect width="${W}" height="${H}" fill="#6b4a3a"/><rect x="220" y="140" width="1160" height="920" fill="#27406b"/>${Array.from({ length: 90 }, (_, i) => `<circle cx="${230 + ((i * 211) % 1140)}" cy="${150 + ((i * 157) % 880)}" r="${3 + (i % 5)}" fill="#fff" opacity=".85"/>`).join('')}<path d="M220 1060 V900 Q 520 820 800 900 T 1380 880 V1060 Z" fill="#eef4fb"/><path d="M800 140 V1060 M220 600 H1380" stroke="#8a6450" stroke-width="34"/><rect x="220" y="140" width="1160" height="920" fill="none" stroke="#8a6450" stroke-width="44"/>`,
  'opening-hours.png': `<rect width="${W}" height="${H}" fill="#17343a"/><circle cx="800" cy="560" r="360" fill="none" stroke="#f4e9d4" stroke-width="26"/><path d="M800 560 V330 M800 560 L970 640" stroke="#f4a261" stroke-width="30" stroke-linecap="round"/>${Array.from({ length: 12 }, (_, i) => `<rect x="792" y="222" width="16" height="${i % 3 ? 26 : 50}" rx="8" fill="#f4e9d4" transform="rotate(${i * 30} 800 560)"/>`).join('')}`,
}
const logo = `<circle cx="400" cy="400" r="380" fill="#17343a"/><path d="M170 470 q 58 -44 115 0 t 115 0 t 115 0 t 115 0" stroke="#7fc8c2" stroke-width="30" fill="none" stroke-linecap="round"/><path d="M210 550 q 48 -36 95 0 t 95 0 t 95 0 t 95 0" stroke="#f4e9d4" stroke-width="24" fill="none" stroke-linecap="round"/><path d="M395 400 V170 L540 400 Z" fill="#f4e9d4"/><path d="M375 400 V220 L265 400 Z" fill="#f4a261"/>`

const svg = (body: string, width = W, height = H) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`)

await mkdir(folder, { recursive: true })
for (const [name, body] of Object.entries(pictures)) {
  const drawn = sharp(svg(body))
  await writeFile(
    join(folder, name),
    await (name.endsWith('.png')
      ? drawn.png({ palette: true })
      : drawn.jpeg({ quality: 84, mozjpeg: true })
    ).toBuffer(),
  )
}
await writeFile(
  join(folder, 'logo.webp'),
  await sharp(svg(logo, 800, 800))
    .webp({ quality: 90 })
    .toBuffer(),
)
await drawVideo()

/** A boat that crosses the harbour in six seconds. */
async function drawVideo() {
  const frames = await mkdtemp(join(tmpdir(), 'demo-video-'))
  const count = 144
  for (let n = 0; n < count; n++) {
    const t = n / count
    const sway = Math.sin(t * Math.PI * 8) * 8
    const scene = `${sky('v', '#f7b787', '#fde8c8', 800)}<circle cx="1120" cy="${600 - t * 120}" r="150" fill="#fff3d6"/>${waves(700, '#5f8f9e')}${boat(-120 + t * 1850, 820 + sway, 2, '#fff7ea')}<g transform="translate(${-150 + ((t * 300) % 150)} 0)">${waves(860, '#47788a', 1)}</g><g transform="translate(${-((t * 300) % 150)} 0)">${waves(1000, '#356377', 2)}</g>`
    await writeFile(
      join(frames, `${String(n).padStart(4, '0')}.jpg`),
      await sharp(svg(scene)).resize(1280, 720, { fit: 'cover' }).jpeg({ quality: 92 }).toBuffer(),
    )
  }
  const encode = [
    '-y',
    '-loglevel',
    'error',
    '-framerate',
    '24',
    '-i',
    join(frames, '%04d.jpg'),
    '-c:v',
    'libx264',
    '-preset',
    'slow',
    '-crf',
    '25',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
  ]
  execFileSync('ffmpeg', [...encode, join(folder, 'crossing-the-harbour.mp4')])
  await rm(frames, { recursive: true })
}
