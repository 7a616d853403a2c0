import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import compile from 'icu-minify/compile'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

const api = 'http://localhost:3000'
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Sentences are taken apart when the app is built, so that what reads their syntax need not travel. */
const compiledWords: Plugin = {
  name: 'compiled-words',
  apply: 'build',
  config: () => ({
    resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
  }),
  load: {
    filter: { id: /\/web\/words\/(?:first|rest)\.(?:en|de)\.ts$/ },
    handler: async (file) => `export default ${JSON.stringify(compiled((await import(file)).default))}`,
  },
}

type Words = { [key: string]: string | Words }

const compiled = (words: Words): object =>
  Object.fromEntries(
    Object.entries(words).map(([key, said]) => [
      key,
      typeof said === 'string' ? compile(said) : compiled(said),
    ]),
  )

/** The app needs the contract's types and a few of its values: schemas that it does not use do not travel along. */
const unusedSchemas: Plugin = {
  name: 'unused-schemas',
  apply: 'build',
  enforce: 'pre',
  // Names that are read off a table of schemas come as a list.
  load: {
    filter: { id: /\/contract\/(?:events|audit)\.ts$/ },
    handler: async (file) =>
      Object.entries(await import(file))
        .filter(([, value]) => Array.isArray(value))
        .map(([name, list]) => `export const ${name} = ${JSON.stringify(list)}`)
        .join('\n'),
  },
  transform: {
    filter: { id: /\/contract\/[^/]+\.ts$/ },
    handler: (code) =>
      code.replace(/\b(?:Type\.\w+|Strict|Any|Nullable|Id|PathId)(?:<[^()<>]*>)?\(/g, '/* @__PURE__ */ $&'),
  },
}

/** What parts of the app are loaded with is ours. */
const loadedAgain: Plugin = {
  name: 'loaded-again',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => `export { __vitePreload } from '${here('web/load-part.ts')}'`,
  },
}

/** One document with all that it needs: chats show it where nothing of ours can be reached. */
const inOneDocument: Plugin = {
  name: 'in-one-document',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    // Whose licences travel along is read off the scripts, so these go last.
    order: 'post',
    handler(_options, bundle) {
      const page = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.html'))
      if (page?.type !== 'asset') return
      const put = (tag: RegExp, text: string) => {
        page.source = String(page.source).replace(tag, () => text)
      }
      for (const file of Object.values(bundle)) {
        if (file === page) continue
        if (file.type === 'chunk')
          put(
            /<script[^>]* src="[^"]*"[^>]*><\/script>/,
            `<script type="module">${inScript(file.code)}</script>`,
          )
        else if (file.fileName.endsWith('.css'))
          put(/<link rel="stylesheet"[^>]*>/, `<style>${String(file.source)}</style>`)
        else continue
        delete bundle[file.fileName]
      }
    },
  },
}

const inScript = (code: string) => code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')

// Parts with nothing in common at a browser: whoever sees the one never sees the other.
const parts = {
  app: {
    input: ['web/index.html'],
    // The library comes whole, in one file: nobody waits for a script that another one asks for.
    // What pages have in common that come later is put together, too, so that none asks for dozens of files.
    output: {
      codeSplitting: {
        groups: [
          { name: 'app', tags: ['$initial'], priority: 1 },
          { name: 'icons', test: /lucide-react/ },
          { name: 'forms', test: /\/esm\/components\/(?:Input|TextInput|PasswordInput|Stack)\// },
          { name: 'dialogs', test: /\/web\/ui\/|\/esm\/components\/(?:Modal|Drawer|Group)\// },
        ],
      },
    },
  },
  guests: { input: ['web/guests/share.html', 'web/guests/upload.html'] },
  picker: {
    input: ['web/picker/embedded.html', 'web/picker/asset-picker.ts'],
    output: {
      // Other sites load it by its name.
      entryFileNames: ({ name }) =>
        name === 'asset-picker' ? 'picker/asset-picker.js' : 'assets/[name]-[hash].js',
    },
  },
  chat: { input: ['web/picker/chat.html'], output: { codeSplitting: false } },
} satisfies Record<string, NonNullable<UserConfig['build']>['rolldownOptions']>
const partOf = (mode: string) => (mode in parts ? (mode as keyof typeof parts) : 'app')

/** Built by `asset-library build`, one part after the other. */
export default defineConfig(({ mode }) => ({
  root: 'web',
  base: '/app/',
  resolve: {
    alias: [{ find: /^use-intl$/, replacement: here('web/words/intl.ts') }],
  },
  plugins: [react(), compiledWords, unusedSchemas, loadedAgain, ...(mode === 'chat' ? [inOneDocument] : [])],
  build: {
    outDir: '../dist/web',
    emptyOutDir: partOf(mode) === 'app',
    // The licences of all that is built in, which travel with it.
    license: { fileName: `licences/${mode}.md` },
    modulePreload: mode !== 'chat',
    target: 'es2023',
    // The server sends a strict content policy: nothing is inlined as a data address but what code asks for.
    assetsInlineLimit: 0,
    // Before compression; what travels is held by a test.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      ...parts[partOf(mode)],
      treeshake: { propertyReadSideEffects: false },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/auth', '/admin', '/portal', '/objects', '/status'].map((path) => [path, { target: api }]),
    ),
  },
}))
