import { Drawer } from 'antd';
import { useMemo } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { PartOfPage } from '#kernel/web/tabs/page.tsx';
import { exportControlHit, queryControlHitList } from '../../contract/controls/hits.ts';
import { claimRulePermissions, controlPermissions as may } from '../../contract/permissions.ts';

const shared = { routeKey: 'controlModule:hits', empty: '所选范围没有命中记录' } as const;
const overturned = 'overturned' as const;

const hitsOfRule = resource(queryControlHitList, {
  ...shared,
  filters: [{ kind: 'days', names: ['from', 'to'], label: '命中日期', presets: true }, 'mode', overturned],
  columns: ['at', 'versionNo', 'mode', 'claimNo', 'lineNo', 'trace', 'savedFen', 'overturned', 'overturnedAt'],
});
/** Of several rules; days and mode are those of the figure that they make. */
const hitsOfFigure = resource(queryControlHitList, {
  ...shared,
  filters: [overturned],
  columns: ['at', 'ruleCode', 'ruleName', 'claimNo', 'savedFen', 'lineNo', 'versionNo', 'trace', 'overturned', 'overturnedAt'],
});

type Wish = InputOf<typeof queryControlHitList>;
interface HitsProps {
  title: string;
  of: typeof hitsOfRule;
  fixed: Partial<Wish>;
  onClose(): void;
}

function HitsDrawer({ title, of, fixed, onClose }: HitsProps) {
  return (
    <Drawer open size={1080} title={`命中明细 ${title}`} onClose={onClose}>
      <PartOfPage>
        <ResourceList
          of={of}
          fixed={fixed}
          actions={[
            {
              label: '理赔规则',
              permission: claimRulePermissions['claimRule.view'],
              // Of a claim that nobody has told of there is nothing to show.
              when: ({ claimNo }) => claimNo !== null,
              act: ({ claimId }) => goTo('/lookClaimRules', { claimId }),
            },
          ]}
          toolbar={(view) => <ExportButton call={exportControlHit} view={view} permission={may['control.view']} />}
        />
      </PartOfPage>
    </Drawer>
  );
}

/** What one rule hit, claim by claim. */
export function Hits({ ruleId, title, onClose }: { ruleId: string; title: string; onClose(): void }) {
  const fixed = useMemo(() => ({ ruleId }), [ruleId]);
  return <HitsDrawer title={title} of={hitsOfRule} fixed={fixed} onClose={onClose} />;
}

/** The hits that a figure of the statistics counts. */
export const FigureHits = ({ wish, ...rest }: { wish: Partial<Wish>; title: string; onClose(): void }) => (
  <HitsDrawer {...rest} of={hitsOfFigure} fixed={wish} />
);
