import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { diffProductVersion } from '../../contract/products/listCalls.ts';
import { DiffTable } from './DiffTable.tsx';
import './versions.css';

export function VersionDiff({ fromId, toId }: { fromId: string; toId: string }) {
  const query = useData(diffProductVersion, { fromId, toId }, { quiet: true });
  if (!query.data) return <Waiting for={query} />;
  const { fromNo, toNo, differences } = query.data;
  return <DiffTable differences={differences} titles={[`V${fromNo}`, `V${toNo}`]} />;
}
