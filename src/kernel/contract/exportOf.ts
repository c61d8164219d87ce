import * as z from 'zod/mini';
import { call, type Authorisation, type Call } from './call.ts';
import { exportFields, exportQueued } from './exporting.ts';

const paging = ['pageNo', 'pageSize', 'cursor'] as const;
type Paging = (typeof paging)[number];

type ListOfShape<Shape extends z.core.$ZodShape> = Call<z.ZodMiniObject<Shape, z.core.$strict>, z.ZodMiniType, 'list' | 'cursor'>;
type Fields<Shape extends z.core.$ZodShape> = Omit<Shape, Paging> & typeof exportFields;
type ExportShape<Shape extends z.core.$ZodShape> = { -readonly [Key in keyof Fields<Shape>]: Fields<Shape>[Key] };

interface ExportSpec {
  operation: string;
  /** Chinese name of the act in the operation log. */
  label: string;
  access: Authorisation;
  /** Default: the list's. */
  service?: string;
  method?: 'GET' | 'POST';
}

/**
 * Declares the export call of a list: the same filters and orders, and the choice of columns and format. What the list
 * checks of its filters together, the export checks too.
 */
export function exportOf<Shape extends z.core.$ZodShape>(
  list: ListOfShape<Shape>,
  spec: ExportSpec,
): Call<z.ZodMiniObject<ExportShape<Shape>, z.core.$strict>, typeof exportQueued, 'file'> {
  const filters = Object.fromEntries(Object.entries(list.input.shape).filter(([key]) => !paging.some((name) => name === key))) as Omit<
    Shape,
    Paging
  >;
  const fields: Fields<Shape> = { ...filters, ...exportFields };
  const input = z.strictObject(fields).check(...((list.input.def.checks ?? []) as z.core.$ZodCheck<unknown>[]));
  return call({
    host: list.host,
    service: spec.service ?? list.service,
    operation: spec.operation,
    ...(spec.method && { method: spec.method }),
    shape: 'file',
    kind: 'command',
    log: 'EXPORT',
    label: spec.label,
    access: spec.access,
    input,
    output: exportQueued,
    ...(list.secrets && { secrets: list.secrets }),
  });
}
