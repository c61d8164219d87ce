import type { TreeProps } from 'antd';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { send } from '#kernel/web/http/client.ts';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableEmpty, Waiting } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { changeAgentParent, queryAgentList, queryAgentTree } from '../../contract/calls/agents.ts';
import { queryDrugSelectOptions } from '../../contract/calls/options.ts';
import { agentRanks } from '../../contract/dictionaries.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { agentMachine } from '../../contract/states.ts';
import { OptionSelect } from '../shared/OptionSelect.tsx';
import type { Branch, Person } from './AgentTree.tsx';

const AgentTree = lazy(async () => ({ default: (await import('./AgentTree.tsx')).AgentTree }));

const address = { companyId: param.optional() };

const branchOf = (person: Person): Branch => ({ key: person.id, person, isLeaf: person.childCount === 0 });
const put = (branches: Branch[], id: string, children: Branch[]): Branch[] =>
  branches.map((branch) =>
    branch.key === id ? { ...branch, children } : branch.children ? { ...branch, children: put(branch.children, id, children) } : branch,
  );

/** View 架构: a company's tree, one level at a time; people are dragged to another superior. */
export function Organisation() {
  const companies = useData(queryDrugSelectOptions, { type: 'COMPANY', limit: 50 }, { fresh: 60_000, quiet: true });
  const [{ companyId }, setAddress] = useAddress(address);
  const editable = useMay()(may['agent.edit']);
  const chosen = companyId ?? companies.data?.[0]?.value ?? null;
  return (
    <section className="kq-pad">
      <div className="kq-row">
        <span>药企</span>
        <span style={{ width: 320 }}>
          <OptionSelect aria-label="药企" kind="COMPANY" value={chosen} onChange={(next) => setAddress({ companyId: next ?? undefined })} />
        </span>
        {editable && <span className="kq-muted">拖动代表到新的上级可调整架构</span>}
      </div>
      {!companies.data && <Waiting for={companies} />}
      {companies.data?.length === 0 && <TableEmpty loading={false}>还没有药企，请先在“药企管理”中新增</TableEmpty>}
      {chosen && <CompanyTree key={chosen} companyId={chosen} />}
    </section>
  );
}

function CompanyTree({ companyId }: { companyId: string }) {
  const tree = useData(queryAgentTree, { companyId }, { quiet: true });
  const { data } = tree;
  const [branches, setBranches] = useState<Branch[]>([]);
  const [round, setRound] = useState(0);
  const editable = useMay()(may['agent.edit']);
  useEffect(() => {
    setBranches((data ?? []).map(branchOf));
    setRound((current) => current + 1);
  }, [data]);
  const move = useCommand(changeAgentParent, { success: SERVER_MESSAGE, refreshes: [queryAgentTree, queryAgentList], blockMs: 300 });
  const load = async (branch: Branch) => {
    if (branch.children) return;
    const below = await send(queryAgentTree, { companyId, rootId: branch.key });
    setBranches((current) => put(current, branch.key, below.map(branchOf)));
  };
  const drop = async ({ dragNode, node }: Parameters<NonNullable<TreeProps<Branch>['onDrop']>>[0]) => {
    const { person } = dragNode;
    if (
      !(await ask({
        title: '调整上级',
        content: `将${person.name}${person.headCount > 1 ? `及其下属共${person.headCount}人` : ''}调整到${node.person.name}下，是否继续?`,
        facts: [
          { label: '人数', value: `${person.headCount}人` },
          { label: '新上级', value: node.person.name },
        ],
      }))
    )
      return;
    await move.run({ id: person.id, version: person.version, parentId: node.person.id });
  };
  if (!data) return <Waiting for={tree} />;
  if (data.length === 0) return <TableEmpty loading={false}>该药企暂无代表</TableEmpty>;
  return (
    <Suspense fallback={<div className="kq-loading" />}>
      <AgentTree
        key={round}
        branches={branches}
        editable={editable}
        load={load}
        onDrop={(info) => void drop(info)}
        titleOf={(person) => (
          <span>
            <PageLink to="/agentDetail" search={{ agentId: person.id }}>
              {person.name}
            </PageLink>{' '}
            <span className="kq-muted">
              {agentRanks.label(person.rank)} · {person.agentNo} · 共{person.headCount}人 · 医生{person.doctorTotal}
            </span>{' '}
            {person.state !== 'ACTIVE' && <Dict of={agentMachine.dictionary} code={person.state} />}
          </span>
        )}
      />
    </Suspense>
  );
}
