import { useList } from '#kernel/web/http/queries.ts';
import { queryMaterialList, type MaterialRow } from '../../contract/materials/calls.ts';
import './materials.css';

export type KnownMaterials = ReadonlyMap<string, MaterialRow & { pictureUrl: string | null }>;
/** As many as one question may name. */
const MOST_ASKED = 200;

/** Materials by their ids; one that is gone is not there. */
export function useMaterials(ids: readonly string[]): KnownMaterials {
  const asked = [...new Set(ids)].slice(0, MOST_ASKED);
  const { rows } = useList(
    queryMaterialList,
    { ids: asked, pageSize: Math.max(1, asked.length) },
    { enabled: asked.length > 0, quiet: true, fresh: 30_000 },
  );
  return new Map((rows ?? []).map((row) => [row.id, row]));
}

/** One material in a small place. */
export function Thumb({ row }: { row: Pick<MaterialRow, 'title' | 'state'> & { pictureUrl: string | null } }) {
  return (
    <span className="kq-mat-thumb" title={row.title}>
      {row.pictureUrl && <img src={row.pictureUrl} alt="" />} {row.title}
    </span>
  );
}
