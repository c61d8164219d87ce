import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { spokenTexts } from './scripts/build/spokenTexts.ts';

export default defineConfig({
  root: 'src/web',
  plugins: [react(), spokenTexts()],
  resolve: {
    alias: [{ find: /^\.\/useEscKeyDown$/, replacement: path.join(import.meta.dirname, 'src/kernel/web/keyboard/escapeStack.ts') }],
  },
  build: {
    // The shell; the pages of patients and doctors, and the frame of definitions, which share no start with it.
    rollupOptions: {
      input: { index: 'src/web/index.html', wx: 'src/web/wx.html', form: 'src/web/form.html', frame: 'src/web/frame.html' },
      // The first page names the files of every page: their names would be a hundredth of what it loads.
      output: { chunkFileNames: 'assets/[hash:7].js' },
    },
    outDir: '../../dist',
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    chunkSizeWarningLimit: 900,
  },
});
