import type { TestProject } from 'vitest/node';
import { startProduct } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the running product, in mode `test` with demonstration data. */
    address: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { address, stop } = await startProduct();
  project.provide('address', address);
  return stop;
}
