import { Empty, Tag } from 'antd';
import type { OutputOf } from '#kernel/contract/call.ts';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { queryContractDetail, type ContractDetailFacts } from '../../contract/calls/contracts.ts';
import { contractMachine } from '../../contract/contractStates.ts';

type Detail = OutputOf<typeof queryContractDetail>;

/** Tab 权益与额度: what the pinned version gives. */
export function Rights({ medicines, limits }: Pick<Detail, 'medicines' | 'limits'>) {
  return (
    <>
      <Facts
        title="用药范围"
        facts={[
          { label: '药品', value: medicines.length === 0 ? '产品目录内的药品' : medicines.map(({ name }) => name).join('、'), wide: true },
        ]}
      />
      <Section title="额度">
        {limits.length === 0 ? (
          <Empty description="该方案没有单独的额度" />
        ) : (
          <Facts columns={2} facts={limits.map(({ name, amount }) => ({ label: name, value: amount }))} />
        )}
      </Section>
    </>
  );
}

/** Tab 签约文件: the signed document, and whether its bytes still are those that were signed. */
export function SignedFile({
  contract,
  file,
  intact,
}: {
  contract: ContractDetailFacts;
  file: Detail['signFile'];
  intact: boolean | null;
}) {
  if (file === null) return <Empty description={contract.origin === 'AUTO' ? '清单自动建立的合同不单独签署' : '合同尚未签署'} />;
  return (
    <>
      <Facts
        columns={2}
        facts={[
          ...factsIn(queryContractDetail.output.shape.contract, contract, ['signChannel', 'signedAt', 'templateCode']),
          { label: '完整性', value: <Tag color={intact ? 'success' : 'error'}>{intact ? '完好' : '不一致'}</Tag> },
          { label: '文件指纹', value: <span className="kq-number">{contract.signSha256}</span>, wide: true },
        ]}
      />
      <div style={{ maxWidth: 320 }}>
        <FileButtons ownerType="enrolment.contract" ownerId={contract.id} files={[file]} />
      </div>
    </>
  );
}

type ChainRow = Detail['chain'][number];
/** Tab 续签链. */
export function Chain({ rows, current }: { rows: readonly ChainRow[]; current: string }) {
  const columns: readonly Column<ChainRow>[] = [
    { key: 'renewSeq', title: '次序', width: 90, value: ({ renewSeq }) => (renewSeq === 0 ? '首次' : `第${renewSeq}次续签`) },
    {
      key: 'contractNo',
      title: '合同编号',
      kind: 'link',
      width: 180,
      to: ({ id }) => (id === current ? null : { path: '/signContractListDetail', search: { contractId: id } }),
    },
    { key: 'policyNo', title: '保单号', width: 180 },
    { key: 'startDate', title: '生效日期', kind: 'day' },
    { key: 'endDate', title: '到期日期', kind: 'day' },
    { key: 'state', title: '状态', kind: 'dict', dictionary: contractMachine.dictionary },
  ];
  return <DataTable columns={columns} rows={rows} height="auto" />;
}
