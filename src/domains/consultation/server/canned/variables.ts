import { cannedVariables } from '../../contract/calls/canned.ts';

type Variable = (typeof cannedVariables)[number];
export type Values = Readonly<Partial<Record<Variable, string>>>;

const PLACE = /\{\{\s*([^{}]{1,30}?)\s*\}\}/g;
const isKnown = (name: string): name is Variable => (cannedVariables as readonly string[]).includes(name);

/** Names in `{{…}}`, each once, in the order of the text. */
const namesIn = (content: string): string[] => [...new Set([...content.matchAll(PLACE)].map(([, name]) => name ?? ''))];

/** First name that is no variable; null where all are. */
export const unknownVariable = (content: string): string | null => namesIn(content).find((name) => !isKnown(name)) ?? null;

/** The text with its variables filled; what has no value here stays as it is and is named. */
export function fillVariables(content: string, values: Values): { text: string; unresolved: string[] } {
  const valueOf = (name: string) => (isKnown(name) ? values[name] || undefined : undefined);
  const text = content.replaceAll(PLACE, (place, name: string) => valueOf(name) ?? place);
  return { text, unresolved: namesIn(content).filter((name) => valueOf(name) === undefined) };
}

const HOUR = 3_600;
const MINUTE = 60;

/** `23小时41分`; empty outside a service. */
export function remainingText(seconds: number | null): string {
  if (seconds === null || seconds <= 0) return '';
  const hours = Math.floor(seconds / HOUR);
  const rest = Math.floor((seconds % HOUR) / MINUTE);
  if (hours === 0) return rest === 0 ? '不足1分钟' : `${rest}分钟`;
  return rest === 0 ? `${hours}小时` : `${hours}小时${rest}分`;
}
