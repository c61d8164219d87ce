import * as fake from 'fake-indexeddb';
import { afterAll, beforeAll, vi } from 'vitest';

/** The browser's databases for one file of tests, empty at its begin; call once at its top. */
export function withIndexedDb(): void {
  beforeAll(() => {
    for (const [name, value] of Object.entries(fake)) if (name.startsWith('IDB')) vi.stubGlobal(name, value);
    vi.stubGlobal('indexedDB', new fake.IDBFactory());
  });
  afterAll(() => void vi.unstubAllGlobals());
}
