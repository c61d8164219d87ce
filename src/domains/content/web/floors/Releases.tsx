import { Button, Form } from 'antd';
import type { OutputOf } from '#kernel/contract/call.ts';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryClientPageList, queryPageLayout } from '../../contract/floors/calls.ts';
import { pageCodes, type PageCode } from '../../contract/floors/clientPages.ts';
import { floorPermissions as may } from '../../contract/floors/permissions.ts';
import type { FloorChange } from '../../contract/floors/shape.ts';
import { auditPage, previewPage, queryPageReleaseList } from '../../contract/releases/calls.ts';
import { releaseStates } from '../../contract/releases/states.ts';

type Release = OutputOf<typeof queryPageReleaseList>[number];
const refreshes = [queryClientPageList, queryPageLayout, queryPageReleaseList, previewPage];
const changes = { ADDED: '新增', REMOVED: '删除', CHANGED: '修改', MOVED: '移动' } as const;
const actions = ['approve', 'reject', 'cancel', 'rollback'] as const;

/** What the draft would change of what is live (null: the draft is not there), and the page's releases with what may be done with them. */
export function Releases({ pageCode, diff }: { pageCode: PageCode; diff: readonly FloorChange[] | null }) {
  const holds = useMay();
  const releases = useData(queryPageReleaseList, { pageCode });
  const command = useCommand(auditPage, { success: '操作成功!', refreshes });
  const layers = useLayers();
  const mayAudit = ({ mine, state }: Release) => holds(may['page.audit']) && !(mine && state === 'AUDITING');
  const take = async (release: Release, action: (typeof actions)[number]) => {
    const move = releaseStates.transitions[action];
    const facts = [
      { label: '页面', value: pageCodes.label(pageCode) },
      { label: '版本', value: `V${release.seq}` },
      { label: '状态', value: releaseStates.dictionary.label(release.state) },
    ];
    const about = { title: `${move.label} V${release.seq}`, content: `是否${move.label}版本V${release.seq}?`, facts };
    const opinion = move.opinion === 'required' ? await confirmWithOpinion({ ...about, danger: true }) : (await ask(about)) ? '' : null;
    if (opinion !== null) await command.run({ pageCode, action, releaseId: release.id, ...(opinion && { opinion }) });
  };
  return (
    <>
      {diff !== null && <h3>差异</h3>}
      {diff === null ? null : diff.length === 0 ? (
        <p className="kq-muted">草稿与已生效版本一致</p>
      ) : (
        <ul className="fl-diff">
          {diff.map(({ floorKey, floorName, change, fields }) => (
            <li key={floorKey}>
              {changes[change]}：{floorName}
              {fields.length > 0 && `（${fields.join('、')}）`}
            </li>
          ))}
        </ul>
      )}
      {holds(may['page.edit']) && (
        <Button type="primary" onClick={() => layers.open((close) => <SubmitForm pageCode={pageCode} onClose={close} />)}>
          提交审核
        </Button>
      )}
      <h3>发布记录</h3>
      {releases.data === undefined ? (
        <Waiting for={releases} />
      ) : (
        <ul className="fl-releases">
          {releases.data.length === 0 && <li className="kq-empty">暂无发布记录</li>}
          {releases.data.map((release) => (
            <li key={release.id}>
              <div>
                <strong>V{release.seq}</strong> <Dict of={releaseStates.dictionary} code={release.state} /> {release.floors}个楼层
              </div>
              <div className="kq-muted">
                {release.submittedByName}提交于 <Time at={release.submittedAt} />
              </div>
              {release.effectiveAt && (
                <div className="kq-muted">
                  生效时间 <Time at={release.effectiveAt} />
                </div>
              )}
              {release.opinion && <div className="kq-muted">意见：{release.opinion}</div>}
              <div className="kq-row">
                {actions
                  .filter((action) => releaseStates.canStart(action, release.state) && mayAudit(release))
                  .map((action) => (
                    <Button key={action} size="small" disabled={command.busy} onClick={() => void take(release, action)}>
                      {releaseStates.transitions[action].label}
                    </Button>
                  ))}
              </div>
            </li>
          ))}
        </ul>
      )}
      {layers.shown}
    </>
  );
}

function SubmitForm({ pageCode, onClose }: { pageCode: PageCode; onClose(): void }) {
  return (
    <FormDialog<typeof auditPage, { effectiveAt?: string | null }>
      open
      title="提交审核"
      call={auditPage}
      refreshes={refreshes}
      success="操作成功!"
      onClose={onClose}
      toInput={({ effectiveAt }) => ({ pageCode, action: 'submit', effectiveAt: effectiveAt ?? null })}
    >
      <Form.Item label="生效时间" name="effectiveAt" extra="不填则审核通过后立即生效">
        <InstantInput />
      </Form.Item>
    </FormDialog>
  );
}
