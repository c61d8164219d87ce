export { asSystem, type Acting } from '../../../kernel/server/command/acting.ts';
export { birthOf, stampOf } from './stamps.ts';
