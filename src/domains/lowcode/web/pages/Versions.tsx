import { Button, Drawer, Tag } from 'antd';
import { lazy, useState } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import {
  editPage,
  onlinePage,
  queryPageDetail,
  queryPageList,
  rollbackPage,
  type PageRow,
  type VersionRow,
} from '../../contract/calls/pages.ts';
import { versionOrigins, versionStates } from '../../contract/dictionaries.ts';
import { pageMachine } from '../../contract/states.ts';
import { lowcodePermissions as may } from '../../contract/permissions.ts';
import { send } from '#kernel/web/http/client.ts';
import { publishing } from './publishing.tsx';

const Difference = lazy(async () => ({ default: (await import('./Difference.tsx')).Difference }));

interface Props {
  page: PageRow;
  onEdit(pageId: string, versionId: string): void;
  onClose(): void;
}

/** The line of versions of one page: what was published when, by whom and why; two of them side by side; the way back. */
export function Versions({ page: row, onEdit, onClose }: Props) {
  const read = useData(queryPageDetail, { id: row.id }, { quiet: true });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const layers = useLayers();
  const { data } = read;
  const again = async () => {
    await refresh(queryPageDetail, queryPageList);
  };
  const choose = (id: string) => setChosen((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id].slice(-2)));
  const back = async (version: VersionRow) => {
    if (!data) return;
    const { page } = data;
    const call = page.state === 'OFFLINE' ? onlinePage : rollbackPage;
    const done = await publishing({
      title: page.state === 'OFFLINE' ? `以v${version.versionNo}重新上线` : `回滚到v${version.versionNo}`,
      facts: [
        { label: '页面', value: `${page.title}（${page.token}）` },
        { label: '版本', value: `v${version.versionNo}` },
        { label: '权限', value: page.permissionLabel },
      ],
      send: (wish) =>
        send(call, { pageId: page.id, versionId: version.id, version: page.version, ...wish }, { idempotencyKey: crypto.randomUUID() }),
    });
    if (!done) return;
    toast(page.state === 'OFFLINE' ? '已上线' : '已回滚');
    await again();
  };
  const editFrom = async (version: VersionRow) => {
    const { versionId } = await send(editPage, { pageId: row.id, versionId: version.id });
    onEdit(row.id, versionId);
  };
  const [a, b] = chosen;
  return (
    <Drawer open size={980} title={`${row.title} 的版本`} onClose={onClose} destroyOnHidden>
      {!data ? (
        <Waiting for={read} />
      ) : (
        <>
          <p className="lc-line">
            <Button disabled={!a || !b} onClick={() => a && b && layers.open((close) => <Difference a={a} b={b} onClose={close} />)}>
              对比所选的两个版本
            </Button>
          </p>
          <table className="lc-plain-table">
            <thead>
              <tr>
                <th aria-label="选择" />
                <th>版本</th>
                <th>状态</th>
                <th>来源</th>
                <th>变更说明</th>
                <th>编辑人</th>
                <th>发布人</th>
                <th>发布时间</th>
                <th>操作</th>
              </tr>
            </thead>
            <tbody>
              {data.versions.map((version) => (
                <tr key={version.id}>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`选择v${version.versionNo}`}
                      checked={chosen.includes(version.id)}
                      onChange={() => choose(version.id)}
                    />
                  </td>
                  <td>v{version.versionNo}</td>
                  <td>
                    <Dict of={versionStates} code={version.state} />{' '}
                    {version.errorCount > 0 && <Tag color="error">{version.errorCount}处错误</Tag>}
                  </td>
                  <td>{versionOrigins.label(version.origin)}</td>
                  <td>{version.changeNote ?? '—'}</td>
                  <td>{version.editedByName ?? '—'}</td>
                  <td>{version.publishedByName ?? '—'}</td>
                  <td>{version.publishedAt ? <Time at={version.publishedAt} /> : '—'}</td>
                  <td>
                    <Can permission={may['page.edit']}>
                      <Button type="link" size="small" onClick={() => void editFrom(version)}>
                        {version.state === 'DRAFT' ? '编辑' : '由此编辑'}
                      </Button>
                    </Can>
                    {version.state === 'ARCHIVED' && data.page.lockedByName === null && (
                      <Can permission={may['page.publish']}>
                        <Button type="link" size="small" onClick={() => void back(version)}>
                          {data.page.state === 'OFFLINE' ? '以此上线' : '回滚到此版本'}
                        </Button>
                      </Can>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <h3>审核轨迹</h3>
          <AuditTimeline rows={data.trail} machine={pageMachine} />
        </>
      )}
      {layers.shown}
    </Drawer>
  );
}
