// How the UI is built: into the Python package, so that an installed Holdfast serves it without Node.
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  plugins: [react()],
  resolve: {
    alias: {
      '@': path('./src'),
      'holdfast-client': path('../clients/typescript/src/index.ts'),
    },
  },
  build: {
    outDir: path('../src/holdfast/_web'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page allows no inline script, and data: for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:4653' } } },
  test: { environment: 'node', include: ['src/**/*.test.{ts,tsx}'] },
})
