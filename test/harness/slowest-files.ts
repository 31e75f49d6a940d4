// A reporter: names the ten slowest files of a run, so that a suite that grows slow is seen.
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const most = 10;

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= most) return;
    const files = modules.map((module) => {
      const { duration, collectDuration, setupDuration } = module.diagnostic();
      return { name: relative(process.cwd(), module.moduleId), ms: duration + collectDuration + setupDuration };
    });
    console.log(`The slowest ${most} of ${files.length} files:`);
    for (const { name, ms } of files.sort((a, b) => b.ms - a.ms).slice(0, most))
      console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`);
  }
}
