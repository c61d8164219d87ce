import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './theme/base.css';
import { holdSecondClicks } from './feedback/secondClick.ts';
import { onRefusal } from './http/client.ts';
import { queryClient } from './http/queries.ts';
import type { WebModule } from './module.ts';
import { registerPages } from './router/pages.ts';
import { hearStepsFirst } from './router/navigate.ts';
import { makeRouter } from './router/router.tsx';
import type { Preferences, SessionGateway } from './session/gateway.ts';
import { providePorts } from './session/gateway.ts';
import { registerLogoutStep } from './session/logout.ts';
import { registerFillings } from './slots.tsx';
import { registerLayers } from './tabs/tabList.ts';
import { ThemeRoot } from './theme/ThemeRoot.tsx';

interface Product {
  /** In the order of map.md's table. */
  modules: readonly WebModule[];
  session: SessionGateway;
  preferences: Preferences;
}

/** Joins the domains' modules to one application and shows it. */
export function startWeb({ modules, session, preferences }: Product): void {
  providePorts({ session, preferences });
  for (const module of modules) {
    registerFillings(module.slots ?? []);
    registerLayers(module.layers ?? []);
    for (const [code, act] of Object.entries(module.onRefusal ?? {})) onRefusal(code, act);
    for (const step of module.logoutSteps ?? []) registerLogoutStep(step);
  }
  holdSecondClicks(document);
  const pages = modules.flatMap((module) => module.pages);
  registerPages(pages);
  hearStepsFirst();
  const router = makeRouter(pages);
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no root');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ThemeRoot>
          <RouterProvider router={router} />
        </ThemeRoot>
      </QueryClientProvider>
    </StrictMode>,
  );
}
