import { yuan } from '#kernel/contract/money.ts';

const CLAIMED = 1_000_000;
const MAIN = 600_000;

/** One line of 10,000.00 元 through the main product, then the rider. */
export function OverflowExample({ overflow }: { overflow: boolean }) {
  const shown = (fen: number) => `${yuan(fen, true)}元`;
  const left = CLAIMED - MAIN;
  return (
    <p className="ins-sentence">
      示例：一行{shown(CLAIMED)}的药费，主险赔60%即{shown(MAIN)}。
      {overflow
        ? `续赔：附加产品把主险已赔的${shown(MAIN)}当作其他补偿扣除，再对未赔的${shown(left)}按自己的责任赔付，两者合计不超过${shown(CLAIMED)}。`
        : `不续赔：附加产品按自己的责任单独计算，不考虑主险已赔的${shown(MAIN)}。`}
    </p>
  );
}
