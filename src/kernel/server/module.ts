/** The server half of a domain; its types stand with the kernel's, because each names the other. */
export type { DemoContext, ReferenceData, ServerModule, ServerModuleFactory } from './kernel.ts';
