/** Orders test files so that no long one is left alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose files take longest, in this order; what is not among them is short. */
const longest: readonly string[] = ['soak', 'torture', 'pty', 'conformance'];

/** Files with processes first, since they mostly wait; longest ones first among them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      if (project.name === 'in-process') return longest.length + 1;
      const place = longest.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
