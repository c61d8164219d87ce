import type { TestProject } from 'vitest/node';
import { nextMinute } from './clock.ts';
import { startProduct } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the running product, in mode `test` with demonstration data. */
    address: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { address, stop } = await startProduct();
  // What the demonstration left to do is done before the first journey looks.
  await nextMinute(address);
  project.provide('address', address);
  return stop;
}
