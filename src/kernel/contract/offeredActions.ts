import * as z from 'zod/mini';
import { decisionsOf } from './review.ts';
import type { Moves } from './stateMachine.ts';

/** Whose actions a row of an answer offers. */
export interface Offered {
  decisions: ReadonlySet<string>;
  /** Type of the document, and the row's key that names it. */
  document: string;
  id: string;
}

const offers = new WeakMap<object, Omit<Offered, 'decisions'> & { moves: Moves }>();

/**
 * What somebody may do with a document that needs another person: nobody is offered a decision about what he wrote
 * (`kernel/server/audit/offered.ts`).
 */
export function actionsOf(machine: { name: string; transitions: Moves }, document: string = machine.name, id = 'id') {
  const schema = z.array(z.string());
  offers.set(schema, { moves: machine.transitions, document, id });
  return schema;
}

/** The offers that a schema of answers contains. */
export function offersIn(schema: unknown, seen = new Set<unknown>()): Offered[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  const offered = offers.get(schema);
  if (offered) return [{ decisions: decisionsOf(offered.moves), document: offered.document, id: offered.id }];
  const internals: unknown = Reflect.get(schema, '_zod');
  if (typeof internals !== 'object' || internals === null) return [];
  const def: unknown = Reflect.get(internals, 'def');
  if (typeof def !== 'object' || def === null) return [];
  const inner = ['element', 'innerType', 'in', 'out', 'valueType'].map((key): unknown => Reflect.get(def, key));
  const shape: unknown = Reflect.get(def, 'shape');
  const options: unknown = Reflect.get(def, 'options');
  return [
    ...inner,
    ...(typeof shape === 'object' && shape !== null ? Object.values(shape) : []),
    ...(Array.isArray(options) ? (options as unknown[]) : []),
  ].flatMap((one) => offersIn(one, seen));
}
