// The templates of the form: the built-in ones, and those of the account, which are called my/….
import { useQuery } from '@tanstack/react-query';
import { api, type TemplateView } from '../../api.ts';

type FormTemplate = Pick<TemplateView, 'name' | 'description' | 'variables' | 'example'>;

export function useTemplates(
  builtIn: readonly TemplateView[],
  chosen = '',
  locked: boolean,
): { readonly names: readonly string[]; readonly template: FormTemplate | undefined } {
  const own = useQuery({ queryKey: ['own-templates'], queryFn: api.ownTemplates, enabled: !locked });
  const published = own.data?.templates.filter((template) => template.published > 0) ?? [];
  const [, name = '', version] = /^my\/([^@]+)(?:@(\d+))?$/.exec(chosen) ?? [];
  const wanted = version === undefined ? published.find((template) => template.name === name)?.published : +version;
  const details = useQuery({
    queryKey: ['own-templates', name, wanted],
    queryFn: () => api.ownTemplate(name, wanted),
    enabled: wanted !== undefined,
  });
  return {
    names: [...published.map((template) => `my/${template.name}`), ...builtIn.map((template) => template.name)],
    template:
      builtIn.find((template) => template.name === chosen) ?? (details.data && { ...details.data, name: chosen }),
  };
}
