import * as z from 'zod/mini';
import type { Call } from './call.ts';
import { exportFields, exportQueued } from './exporting.ts';
import { field, fieldFacts, shapeOf } from './field.ts';
import { labelOf } from './labels.ts';
import { declareService, type Access } from './service.ts';

const paging = ['pageNo', 'pageSize', 'cursor'] as const;
type Paging = (typeof paging)[number];

type ListOfShape<Shape extends z.core.$ZodShape> = Call<z.ZodMiniObject<Shape, z.core.$strict>, z.ZodMiniType, 'list' | 'cursor'>;
type Fields<Shape extends z.core.$ZodShape> = Omit<Shape, Paging> & typeof exportFields;
type ExportShape<Shape extends z.core.$ZodShape> = { -readonly [Key in keyof Fields<Shape>]: Fields<Shape>[Key] };

interface ExportSpec<Filter extends string> {
  operation: string;
  /** Chinese name of the act in the operation log. */
  label: string;
  access: Access;
  /** Default: the list's. */
  service?: string;
  method?: 'GET' | 'POST';
  /** Of a GET: filters that no address may hold (logs and histories keep it). Each is refused by its name. */
  notInAddress?: readonly Filter[];
}

/** A number of a filter, also as the text of a query parameter; what is none stays, so that the schema refuses it. */
const spoken = (schema: z.ZodMiniType): z.ZodMiniType =>
  z.optional(
    z.pipe(
      z.union([z.number(), z.string()]),
      z.pipe(
        z.transform((value: number | string): unknown => (typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value)),
        schema,
      ),
    ),
  );

/** An empty one asks for nothing. */
const refusedInAddress = (label: string): z.ZodMiniType =>
  z.optional(z.string().check(z.maxLength(0, `${label}不能写在网址中，请用页面上的导出`)));

/** A filter as a GET takes it. */
function inAddress(key: string, schema: z.ZodMiniType, refused: readonly string[]): z.ZodMiniType {
  const label = labelOf(schema) ?? key;
  if (refused.includes(key)) return field(label, refusedInAddress(label));
  return fieldFacts(schema)?.kind === 'number' ? field(label, spoken(schema)) : schema;
}

/**
 * Declares the export call of a list: the same filters and orders, and the choice of columns and format. What the list
 * checks of its filters together, the export checks too.
 */
export function exportOf<Shape extends z.core.$ZodShape>(
  list: ListOfShape<Shape>,
  spec: ExportSpec<keyof Shape & string>,
): Call<z.ZodMiniObject<ExportShape<Shape>, z.core.$strict>, typeof exportQueued, 'file'> {
  const named = shapeOf(list.input);
  const filters = Object.fromEntries(
    Object.entries(list.input.shape)
      .filter(([key]) => !paging.some((name) => name === key))
      .map(([key, schema]) => [key, spec.method === 'GET' ? inAddress(key, named[key]!, spec.notInAddress ?? []) : schema]),
  ) as Omit<Shape, Paging>;
  const fields: Fields<Shape> = { ...filters, ...exportFields };
  const input = z.strictObject(fields).check(...((list.input.def.checks ?? []) as z.core.$ZodCheck<unknown>[]));
  const { operation, label, access, method } = spec;
  return declareService(spec.service ?? list.service, list.host).file({
    operation,
    label,
    access,
    ...(method && { method }),
    log: 'EXPORT',
    ...(list.secrets && { secrets: list.secrets }),
    input,
    output: exportQueued,
  });
}
