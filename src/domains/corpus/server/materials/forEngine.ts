import type { Db, Tx } from '#kernel/server/context.ts';
import type { MaterialContent } from '../../contract/materials/content.ts';
import type { MaterialType } from '../../contract/materials/dictionaries.ts';
import type { MaterialFacts } from '../../contract/materials/render.ts';
import { own } from '../database.ts';
import { factsOfContents } from './facts.ts';

/** A material in use, as the engine sends it: `renderMaterial(content, { ...facts, values, sendId, token })`. */
export interface UsableMaterial {
  materialId: string;
  materialVersionId: string;
  materialType: MaterialType;
  title: string;
  content: MaterialContent;
  facts: MaterialFacts;
}

/** A material that somebody names, in use or not. */
export interface NamedMaterial {
  title: string;
  /** null: it is not in use. */
  usable: UsableMaterial | null;
}

/** The materials named, by id; those that are ENABLED with their approved content. */
export async function materialsFor(db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, NamedMaterial>> {
  if (ids.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('corpusMaterial as m')
    .leftJoin('corpusMaterialVersion as v', (join) => join.onRef('v.id', '=', 'm.currentVersionId').on('m.state', '=', 'ENABLED'))
    .select(['m.id as materialId', 'v.id as materialVersionId', 'm.materialType', 'm.title', 'v.content'])
    .where('m.id', 'in', [...new Set(ids)])
    .execute();
  const found = rows.flatMap(({ materialVersionId, ...row }) =>
    materialVersionId === null ? [] : [{ ...row, materialVersionId, content: row.content as MaterialContent }],
  );
  const facts = await factsOfContents(
    db,
    found.map(({ content }) => content),
  );
  const usable = new Map(found.map((row, index) => [row.materialId, { ...row, facts: facts[index]! }]));
  return new Map(rows.map(({ materialId, title }) => [materialId, { title, usable: usable.get(materialId) ?? null }]));
}
