import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { replayPermissions } from '../../contract/permissions.ts';
import { queryClaimRules } from '../../contract/claimRules/read.ts';
import { queryTestCaseList, runTestCases } from '../../contract/tests/calls.ts';
import type { Listed } from './useVersionDraft.tsx';

const ReplayPanel = lazy(async () => ({ default: (await import('../replays/ReplayPanel.tsx')).ReplayPanel }));

interface ReadinessProps {
  versionId: string;
  dirty: boolean;
  problems: readonly Listed[];
  onJump(problem: Listed): void;
}

/** What is missing before the version can be handed in; a click goes to the field. */
export function ReadinessPart({ versionId, dirty, problems, onJump }: ReadinessProps) {
  const rules = useData(queryClaimRules, { productVersionId: versionId }, { quiet: true });
  const cases = useData(queryTestCaseList, { productVersionId: versionId }, { quiet: true });
  const run = useCommand(runTestCases, { success: '操作成功!', refreshes: [queryTestCaseList] });
  const may = useMay();
  const passed = cases.data?.filter(({ lastResult }) => lastResult === 'PASS').length ?? 0;
  return (
    <>
      {[rules, cases].map((one, at) => one.error && !one.data && <Waiting key={at} for={one} />)}
      <p>
        {rules.data && cases.data && `理赔规则${rules.data.rules.length}条，测试用例${cases.data.length}个（通过${passed}个）。`}
        <PageLink to="/lookClaimRules" search={{ productVersionId: versionId, tab: 'rules' }}>
          维护理赔规则
        </PageLink>
        {'　'}
        <PageLink to="/lookClaimRules" search={{ productVersionId: versionId, tab: 'cases' }}>
          维护测试用例
        </PageLink>
        {'　'}
        <Button
          size="small"
          disabled={run.busy || dirty || !cases.data?.length}
          onClick={() => void run.run({ productVersionId: versionId })}
        >
          运行测试用例
        </Button>
        {dirty && <span className="kq-muted">　保存草稿后可运行</span>}
      </p>
      {may(replayPermissions['replay.run']) && (
        <Suspense fallback={null}>
          <ReplayPanel ownerType="PRODUCT_VERSION" ownerId={versionId} />
        </Suspense>
      )}
      {problems.length === 0 ? (
        <p>内容校验通过；提交时还会检查至少3个启用的用例全部通过，并覆盖每个责任和每条规则。</p>
      ) : (
        <ul className="ins-problems" aria-label="校验结果">
          {problems.map((one, index) => (
            <li key={`${one.path}:${index}`} className={one.level === 'ERROR' ? 'ins-problem-error' : 'ins-problem-warn'}>
              <button type="button" onClick={() => onJump(one)}>
                {one.message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
