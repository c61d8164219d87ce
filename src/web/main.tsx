import { identityPorts } from '#domains/identity/web/module.ts';
import { startWeb } from '#kernel/web/start.tsx';
import { webModules } from './modules.ts';

// The browser's composition root: modules.ts lists the domains, identity fills the kernel's ports.
startWeb({ modules: webModules, numbers: () => import('./numbers.ts'), ...identityPorts });
