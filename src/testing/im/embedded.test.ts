import { imLimits } from '#domains/consultation/contract/im/limits.ts';
import { imEngine } from '#domains/consultation/server/im/engine.ts';
import { embeddedWorld } from './embeddedWorld.ts';
import { imClientSuite } from './imClientSuite.ts';

imClientSuite('embedded service', async () => {
  const made = await embeddedWorld();
  // Each step enters anew without leaving; that is the suite's way, not a person's.
  imEngine(made.world.kernel).limits = {
    ...imLimits,
    connections: { user: 500, address: 500, node: 500 },
    user: { count: 500, seconds: 10 },
  };
  return made;
});
