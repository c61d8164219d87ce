import * as z from 'zod/mini';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { declareService, nothing } from '#kernel/contract/service.ts';
import { figureLevel, figureUnit } from '#kernel/contract/status.ts';
import { identityPermissions as may } from '../permissions.ts';
import { at } from './shared.ts';

const service = declareService('SystemService');

const figure = z.strictObject({
  metric: z.string(),
  label: z.string(),
  unit: figureUnit,
  /** Whether it stands more than once, each time with a key. */
  many: z.boolean(),
  /** What is said where it has no value. */
  absent: z.string(),
  limit: z.nullable(z.strictObject({ side: z.enum(['above', 'below']), amber: z.nullable(z.number()), red: z.nullable(z.number()) })),
});

const value = z.strictObject({
  metric: z.string(),
  key: z.nullable(z.string()),
  label: z.nullable(z.string()),
  value: z.number(),
  note: z.nullable(z.string()),
  level: figureLevel,
});

/** The figures of `/metrics`, of the node that answers; what could not be read is absent. */
export const querySystemStatus = service.read({
  operation: 'querySystemStatus',
  label: '查看系统状态',
  access: may['status.view'],
  input: nothing,
  output: z.strictObject({
    at,
    parts: z.array(
      z.strictObject({
        title: z.string(),
        link: z.nullable(z.strictObject({ label: z.string(), path: z.string() })),
        figures: z.array(figure),
        values: z.array(value),
      }),
    ),
  }),
});

export type SystemStatus = AnswerOf<typeof querySystemStatus>;
export type StatusPart = SystemStatus['parts'][number];
export type StatusFigure = StatusPart['figures'][number];
export type StatusValue = StatusPart['values'][number];
