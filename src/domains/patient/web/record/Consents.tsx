import { Button, Skeleton } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryConsentList } from '../../contract/calls/consent.ts';
import { consentActions, consentSigners, consentStates, consentTypes, sources } from '../../contract/dictionaries.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { Attachments } from '../shared/Attachments.tsx';
import { Section } from '../shared/Section.tsx';
import { useRecord } from './recordScope.ts';

/** Clients name where they stand by the codes of sources; anything else is shown as it came. */
const channelText = (channel: string): string => {
  const code = sources.codes.find((one) => one === channel);
  return code ? sources.label(code) : channel || '—';
};

/** 授权同意: what is agreed to now, and every act that led there. */
export function Consents() {
  const { patientId, detail, show } = useRecord();
  const editable = useMay()(rights['consent.edit']) && detail.state !== 'CANCELLED';
  const { data, error, refetch } = useData(queryConsentList, { patientId }, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton active paragraph={{ rows: 8 }} />;
  return (
    <>
      <Section
        title="授权状态"
        actions={
          <>
            <Button size="small" onClick={() => show({ kind: 'texts' })}>
              协议文本
            </Button>
            {editable && (
              <Button size="small" type="primary" onClick={() => show({ kind: 'consent' })}>
                登记同意
              </Button>
            )}
          </>
        }
      >
        <table className="pa-grid">
          <thead>
            <tr>
              <th>类型</th>
              <th>状态</th>
              <th>签署版本</th>
              <th>当前版本</th>
              <th>时间</th>
              <th>
                <span className="kq-spoken">操作</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.states.map((row) => (
              <tr key={row.consentType} data-row tabIndex={0}>
                <td>{consentTypes.label(row.consentType)}</td>
                <td>
                  <Dict of={consentStates} code={row.state} />
                </td>
                <td>{row.docVersion ?? '—'}</td>
                <td>{row.currentVersion ?? '未发布'}</td>
                <td className="pa-nowrap">
                  <Time at={row.at} />
                </td>
                <td className="pa-right">
                  {editable &&
                    (row.state === 'VALID' ? (
                      <button
                        type="button"
                        className="kq-link kq-danger"
                        onClick={() => show({ kind: 'consent', consentType: row.consentType, withdraw: true })}
                      >
                        撤回
                      </button>
                    ) : (
                      row.currentVersion && (
                        <button type="button" className="kq-link" onClick={() => show({ kind: 'consent', consentType: row.consentType })}>
                          登记同意
                        </button>
                      )
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      <Section title="历史">
        {data.history.length === 0 ? (
          <p className="pa-empty">没有签署或撤回记录</p>
        ) : (
          <table className="pa-grid">
            <thead>
              <tr>
                <th>时间</th>
                <th>类型</th>
                <th>版本</th>
                <th>动作</th>
                <th>签署人</th>
                <th>渠道</th>
                <th>凭证与备注</th>
              </tr>
            </thead>
            <tbody>
              {data.history.map((act) => (
                <tr key={act.id} data-row tabIndex={0}>
                  <td className="pa-nowrap">
                    <Time at={act.at} />
                  </td>
                  <td>{consentTypes.label(act.consentType)}</td>
                  <td>{act.docVersion}</td>
                  <td>
                    <Dict of={consentActions} code={act.act} />
                  </td>
                  <td>
                    {consentSigners.label(act.by)}
                    {act.signerName && `　${act.signerName}`}
                  </td>
                  <td>
                    {channelText(act.channel)}
                    {act.createdBy && <div className="kq-muted">{act.createdBy}</div>}
                  </td>
                  <td>
                    {act.evidenceFileId && <Attachments fileIds={[act.evidenceFileId]} patientId={act.patientId} label="凭证" />} {act.note}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
    </>
  );
}
