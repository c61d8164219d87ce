import { Drawer, Empty } from 'antd';
import { useData, useList } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import '../engine/engine.css';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import {
  queryPackageVersionDiff,
  queryPackageVersionList,
  type MigrationPlan,
  type VersionRow,
} from '../../contract/engine/versionCalls.ts';

/** What moving the patients under way would do, before anybody decides. */
export const migrationText = (plan: MigrationPlan): string =>
  `进行中${plan.runs}人：新增${plan.added}条、改期${plan.moved}条、取消${plan.cancelled}条、已过期不补发${plan.tooLate}条`;

interface VersionDiffDrawerProps {
  scenePackageId: string;
  /** Compared with the one before it; null: the draft, with the version in force. */
  to: VersionRow | null;
  onClose(): void;
}

/** Two versions side by side, part by part. */
export function VersionDiffDrawer({ scenePackageId, to, onClose }: VersionDiffDrawerProps) {
  const versions = useList(queryPackageVersionList, { scenePackageId, pageSize: 200 });
  const before =
    versions.rows?.find((row) =>
      to === null ? row.state === 'PUBLISHED' : row.seq < to.seq && row.state !== 'REJECTED' && row.state !== 'WITHDRAWN',
    ) ?? null;
  const { data, error, refetch } = useData(
    queryPackageVersionDiff,
    { scenePackageId, ...(before && { from: before.id }), ...(to && { to: to.id }) },
    { quiet: true, enabled: versions.rows !== undefined },
  );
  const title = `${before ? `V${before.seq}` : '空'} → ${to ? `V${to.seq}` : '草稿'}`;
  return (
    <Drawer open size={900} title={`版本差异 ${title}`} onClose={onClose} destroyOnHidden>
      {error && !data ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className="kq-loading" role="progressbar" aria-label="差异加载中" />
      ) : (
        <>
          {data.migration && data.migration.runs > 0 && <p className="kq-muted">{`若迁移，${migrationText(data.migration)}`}</p>}
          {data.differences.length === 0 ? (
            <Empty description="没有差异" />
          ) : (
            <table className="kq-explain">
              <thead>
                <tr>
                  <th>内容</th>
                  <th>原</th>
                  <th>新</th>
                </tr>
              </thead>
              <tbody>
                {data.differences.map(({ part, label, before: was, after }, index) => (
                  <tr key={`${part}${index}`}>
                    <td>{label}</td>
                    <td className="kq-was">{was ?? NOTHING}</td>
                    <td className="kq-is">{after ?? NOTHING}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </Drawer>
  );
}
