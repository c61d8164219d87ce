import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ObjectLabel, ObjectType } from '#kernel/server/objectTypes.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { ThingType } from '../../contract/delivery/things.ts';
import { objectTypes, type ObjectTypeCode } from '../../contract/marks/dictionaries.ts';

type Registered = Pick<Kernel, 'registry'>;

/** The owner's registration of a kind of thing. @throws where nobody registered it: the composition is wrong. */
export function typeOf(kernel: Registered, code: ObjectTypeCode | ThingType): ObjectType {
  const found = kernel.registry.objectTypes.get(code);
  if (!found) throw new Error(`nobody registers the object type ${code}`);
  return found;
}

export const allTypes = (kernel: Registered): readonly ObjectType[] => objectTypes.codes.map((code) => typeOf(kernel, code));

interface Named {
  objectType: ObjectTypeCode;
  objectId: string;
}

/** Labels of the objects of rows, those that the viewer sees: one statement for each kind of thing that occurs. */
export async function labelsOf(
  kernel: Registered,
  db: Db | Tx,
  viewer: Viewer,
  rows: readonly Named[],
  now: Instant,
): Promise<(row: Named) => (ObjectLabel & Pick<ObjectType, 'link'>) | null> {
  const found = new Map<string, ObjectLabel & Pick<ObjectType, 'link'>>();
  for (const [code, some] of Map.groupBy(rows, ({ objectType }) => objectType)) {
    const type = typeOf(kernel, code);
    const labels = await type.labels(
      db,
      viewer,
      some.map(({ objectId }) => objectId),
      now,
    );
    for (const label of labels) found.set(`${code}:${label.id}`, { ...label, link: type.link });
  }
  return ({ objectType, objectId }) => found.get(`${objectType}:${objectId}`) ?? null;
}
