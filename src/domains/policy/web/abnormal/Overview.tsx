import { Button } from 'antd';
import { showInstant } from '../../../../kernel/contract/time.ts';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { useAct, useData } from '../../../../kernel/web/http/queries.ts';
import { Can } from '../../../../kernel/web/kit/Can.tsx';
import { checkCodes, severities } from '../../contract/abnormal/checks.ts';
import { queryFindingTotal, runCheck } from '../../contract/calls/abnormal.ts';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { findingRefreshes as refreshes } from './findingList.tsx';

/** Last run, findings per severity, and where they gather: checks by insurers. */
export function Overview() {
  const { data } = useData(queryFindingTotal, {}, { quiet: true });
  const run = useAct(runCheck, { refreshes });
  const look = async () => {
    const answer = await run.run({});
    if (answer)
      toast(`已检查${answer.data.checkCount}项，发现${answer.data.found}处，新增${answer.data.added}条，自动解决${answer.data.cleared}条`);
  };
  if (!data) return null;
  const { lastRun, open } = data;
  const sum = (rows: typeof open) => rows.reduce((total, { count }) => total + count, 0);
  const insurers = [...new Set(open.map(({ insurerName }) => insurerName))];
  const checks = [...new Set(open.map(({ checkCode }) => checkCode))];
  return (
    <section>
      <div className="pol-totals" role="status">
        <span>
          {lastRun ? `最近检查 ${showInstant(lastRun.startedAt)}，${lastRun.startedBy}，发现${lastRun.found}处` : '还没有运行过检查'}
        </span>
        {severities.codes.map((code) => (
          <span key={code}>
            {severities.label(code)} {sum(open.filter(({ severity }) => severity === code))} 条
          </span>
        ))}
        <Can permission={may['abnormal.supervise']}>
          <Button size="small" loading={run.flying} onClick={() => void look()}>
            立即检查
          </Button>
        </Can>
      </div>
      {open.length > 0 && (
        <details>
          <summary>按检查项与保司分布</summary>
          <table className="pol-table">
            <thead>
              <tr>
                <th>检查项</th>
                {insurers.map((name) => (
                  <th key={name} className="pol-amount">
                    {name || '未指定'}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {checks.map((code) => (
                <tr key={code}>
                  <td>{checkCodes.label(code)}</td>
                  {insurers.map((name) => (
                    <td key={name} className="pol-amount">
                      {sum(open.filter(({ checkCode, insurerName }) => checkCode === code && insurerName === name)) || ''}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </section>
  );
}
