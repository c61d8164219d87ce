import { Drawer } from 'antd';
import { showInstant } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryQrCodeDetail, type CodeRow } from '../../contract/calls/codes.ts';
import { targetTypes } from '../../contract/dictionaries.ts';
import { codeStates } from '../../contract/states.ts';

const describe = (value: unknown) => {
  const { target } = value as { target: { type: string; url: string | null } };
  return `${targetTypes.label(target.type)}${target.url ? ` ${target.url}` : ''}`;
};

/** What a code led to before, and who changed it. */
export function History({ code, onClose }: { code: CodeRow; onClose(): void }) {
  const detail = useData(queryQrCodeDetail, { id: code.id }, { quiet: true });
  const { data } = detail;
  return (
    <Drawer open title={`变更记录：${code.name}`} size={560} onClose={onClose}>
      {!data ? (
        <Waiting for={detail} />
      ) : (
        <>
          <Section title="目标变更">
            {data.history.length === 0 && <p className="kq-muted">目标没有变更过</p>}
            <ul className="ch-history">
              {data.history.map((row) => (
                <li key={row.at}>
                  {showInstant(row.at)} {row.userName}：{describe(row.before)} → {describe(row.after)}
                </li>
              ))}
            </ul>
          </Section>
          <Section title="操作轨迹">
            <AuditTimeline rows={data.trail} machine={codeStates} />
          </Section>
        </>
      )}
    </Drawer>
  );
}
