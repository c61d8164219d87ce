import { vi } from 'vitest';

// What runs in the browser keeps its state in modules, as one page does. Each file of tests is a page of its own.
vi.resetModules();
