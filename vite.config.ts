import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = 'http://localhost:3000'

export default defineConfig({
  root: 'web',
  base: '/app/',
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The server sends a strict content policy: nothing is inlined as a data address but what code asks for.
    assetsInlineLimit: 0,
    // The app needs the contract's types and a few of its numbers; schemas nobody uses do not travel along.
    rolldownOptions: {
      // The app, and the small pages for people without an account.
      input: ['web/index.html', 'web/guests/share.html', 'web/guests/upload.html'],
      treeshake: { manualPureFunctions: ['Type', 'Strict', 'Nullable', 'Id'] },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/auth', '/admin', '/portal', '/objects', '/status'].map((path) => [path, { target: api }]),
    ),
  },
})
