import { Input, Tree, type TreeDataNode } from 'antd';
import { useMemo, useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { send } from '#kernel/web/http/client.ts';
import { moveChannel, queryChannelDetail, queryChannelList, queryChannelTree } from '../../contract/calls/channels.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';

type Node = OutputOf<typeof queryChannelTree>[number];

function treeOf(nodes: readonly Node[], keyword: string): TreeDataNode[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const below = Map.groupBy(nodes, ({ parentId }) => (parentId !== null && ids.has(parentId) ? parentId : ''));
  const build = (parent: string): TreeDataNode[] =>
    (below.get(parent) ?? []).flatMap((node): TreeDataNode[] => {
      const children = build(node.id);
      if (keyword && children.length === 0 && !node.name.includes(keyword)) return [];
      const stopped = node.state === 'DISABLED' ? '（停用）' : node.state === 'EXPIRED' ? '（已到期）' : '';
      return [{ key: node.id, title: `${node.name}${node.children > 0 ? `（${node.children}）` : ''}${stopped}`, children }];
    });
  return build('');
}

/** All channels that one sees, by parents; dragging hangs a channel under another of its type. */
export function ChannelTree({ chosen, onChoose }: { chosen: string | undefined; onChoose(id: string | undefined): void }) {
  const { data, error, refetch } = useData(queryChannelTree, {}, { quiet: true });
  const [keyword, setKeyword] = useState('');
  const may = useMay();
  const move = useCommand(moveChannel, { success: '移动成功!', refreshes: [queryChannelTree, queryChannelList] });
  const nodes = useMemo(() => treeOf(data ?? [], keyword.trim()), [data, keyword]);
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  const drop = async (id: string, parentId: string | null) => {
    const names = new Map((data ?? []).map((node) => [node.id, node.name]));
    if (
      !(await ask({
        title: '移动渠道',
        content: `将“${names.get(id)}”移动到${parentId === null ? '一级' : `“${names.get(parentId)}”之下`}，是否继续?`,
      }))
    )
      return;
    const { version } = await send(queryChannelDetail, { id });
    await move.run({ id, version, parentId });
  };
  return (
    <div className="ch-tree">
      <Input allowClear placeholder="搜索渠道" value={keyword} onChange={(event) => setKeyword(event.target.value)} />
      {nodes.length === 0 ? (
        <TableEmpty loading={data === undefined}>没有渠道</TableEmpty>
      ) : (
        <Tree
          key={keyword ? 'found' : 'all'}
          blockNode
          defaultExpandAll={keyword !== '' || (data?.length ?? 0) < 80}
          treeData={nodes}
          selectedKeys={chosen ? [chosen] : []}
          onSelect={(keys) => onChoose(keys[0] as string | undefined)}
          draggable={may(rights['channel.edit']) ? { icon: false } : false}
          onDrop={({ dragNode, node, dropToGap }) => {
            const target = data?.find(({ id }) => id === node.key);
            void drop(String(dragNode.key), dropToGap ? (target?.parentId ?? null) : String(node.key));
          }}
        />
      )}
    </div>
  );
}
