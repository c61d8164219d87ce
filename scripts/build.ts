import { buildBrowser } from './build/browser.ts';

// npm run build: the browser part into dist/, as the first start does by itself.
const began = performance.now();
const { buildId } = await buildBrowser({ force: true });
console.log(`Built ${buildId} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
