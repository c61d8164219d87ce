import type { Config } from '../config/config.ts';
import { httpOcr } from './httpOcr.ts';
import type { Ocr } from './ocr.ts';

const embeddedOcr: Ocr = { available: false, read: async () => ({}), faces: async () => null };

export const makeOcr = (config: Pick<Config, 'ocr'>): Ocr => (config.ocr === null ? embeddedOcr : httpOcr(config.ocr));
