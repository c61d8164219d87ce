import { Tree } from 'antd';
import type { TreeDataNode, TreeProps } from 'antd';
import type { ReactNode } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import type { queryAgentTree } from '../../contract/calls/agents.ts';

export type Person = OutputOf<typeof queryAgentTree>[number];
export interface Branch extends TreeDataNode {
  key: string;
  person: Person;
  children?: Branch[];
}

interface AgentTreeProps {
  branches: Branch[];
  editable: boolean;
  load(branch: Branch): Promise<void>;
  onDrop: NonNullable<TreeProps<Branch>['onDrop']>;
  titleOf(person: Person): ReactNode;
}

/** Heads whose people are shown at once. */
const OPENED = 3;

/** The tree of the view 架构, loaded after it. */
export function AgentTree({ branches, editable, load, onDrop, titleOf }: AgentTreeProps) {
  return (
    <Tree<Branch>
      treeData={branches}
      blockNode
      showLine
      defaultExpandedKeys={branches.length <= OPENED ? branches.map(({ key }) => key) : []}
      loadData={(branch) => load(branch)}
      draggable={editable ? { icon: false } : false}
      onDrop={onDrop}
      titleRender={({ person }) => titleOf(person)}
    />
  );
}
