import { Alert, Button, Drawer, Skeleton } from 'antd';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { querySpecialUserDetail, revealSpecialUser, type sensitiveMarkFields } from '../../contract/calls/marks.ts';
import { markMachine } from '../../contract/markStates.ts';
import { applyPermissions, markPermissions as may } from '../../contract/permissions.ts';
import { editMark } from './editMark.ts';
import { OtherMarks } from './OtherMarks.tsx';
import { markDecisions, useMarkActions } from './useMarkActions.ts';

const EDITABLE: readonly string[] = ['PENDING', 'EFFECTIVE', 'REJECTED'];

/** One mark: what it says, its papers, other marks of the person, its story. */
export function MarkDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(querySpecialUserDetail, { id }, { quiet: true });
  const { decide } = useMarkActions();
  const mark = data?.mark;
  const secret = (field: (typeof sensitiveMarkFields)[number], value: string | null) => (
    <Masked
      value={value}
      permission={applyPermissions['apply.reveal']}
      reveal={async () => (await send(revealSpecialUser, { id, field })).value ?? '—'}
    />
  );
  return (
    <Drawer
      open
      title={mark ? `特殊用户标记 ${mark.name}` : '特殊用户标记'}
      size="min(960px, 94vw)"
      onClose={onClose}
      footer={
        mark && (
          <div className="kq-detail-actions">
            {markDecisions
              .filter((action) => mark.allowedActions.includes(action))
              .map((action) => (
                <Button key={action} danger={markMachine.transitions[action].danger ?? false} onClick={() => void decide(mark, action)}>
                  {markMachine.transitions[action].label}
                </Button>
              ))}
            {EDITABLE.includes(mark.state) && (
              <Can permission={may['specialUser.edit']}>
                <Button onClick={() => editMark(data.successorId ?? id)}>{data.successorId === null ? '编辑' : '编辑待审批的修改'}</Button>
              </Can>
            )}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !mark ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          {data.successorId !== null && <Alert type="info" showIcon title="该标记已有修改待审批，审批通过后本标记在新标记生效前一天结束" />}
          {data.replacesId !== null && mark.state === 'PENDING' && (
            <Alert type="info" showIcon title="这是对生效中标记的修改，审批通过后原标记在本标记生效前一天结束" />
          )}
          <Facts
            facts={[
              ...factsIn(querySpecialUserDetail.output.shape.mark, mark, ['name']),
              { label: '手机号', value: secret('mobile', mark.mobileMasked) },
              { label: '证件号', value: secret('idNo', mark.idNoMasked) },
              ...factsIn(querySpecialUserDetail.output.shape.mark, mark, [
                'markType',
                'productNames',
                'startDate',
                'endDate',
                'hits',
                'state',
                'makerName',
                'checkerName',
              ]),
              ...factsIn(querySpecialUserDetail.output, data, ['opinion']),
              { label: '原因', value: mark.reason, wide: true },
              {
                label: '佐证附件',
                wide: true,
                value:
                  data.evidenceFileIds.length === 0 ? (
                    '—'
                  ) : (
                    <FileButtons
                      files={data.evidenceFileIds.map((fileId, at) => ({
                        fileId,
                        fileName: `佐证附件${at + 1}`,
                        detectedType: null,
                        pageCount: null,
                      }))}
                      ownerType="enrolment.specialUser"
                      ownerId={id}
                    />
                  ),
              },
            ]}
          />
          <Section title="该用户的其他标记">
            <OtherMarks rows={data.others} empty="没有其他标记" />
          </Section>
          <Section title="操作轨迹">
            <AuditTimeline rows={data.trail} machine={markMachine} />
          </Section>
        </>
      )}
    </Drawer>
  );
}
