import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';
import { spokenTexts } from './scripts/build/spokenTexts.ts';
import { groupSteps } from './scripts/build/together.ts';

// The first page names the files of every page: their names would be a hundredth of what it loads.
const chunkFileNames = 'assets/[hash:7].js';

const config: UserConfig = {
  root: 'src/web',
  plugins: [react(), spokenTexts()],
  resolve: {
    alias: [{ find: /^\.\/useEscKeyDown$/, replacement: path.join(import.meta.dirname, 'src/kernel/web/keyboard/escapeStack.ts') }],
  },
  build: {
    // The shell; the pages of patients and doctors, and the frame of definitions, which share no start with it.
    rolldownOptions: {
      input: { index: 'src/web/index.html', wx: 'src/web/wx.html', form: 'src/web/form.html', frame: 'src/web/frame.html' },
      output: { chunkFileNames },
    },
    outDir: '../../dist',
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    chunkSizeWarningLimit: 900,
  },
};

export default defineConfig(async ({ command }) => {
  if (command !== 'build') return config;
  const output = { chunkFileNames, codeSplitting: await groupSteps(config) };
  return { ...config, build: { ...config.build, rolldownOptions: { ...config.build?.rolldownOptions, output } } };
});
