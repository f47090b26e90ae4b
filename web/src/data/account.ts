// Logging in and out.
import { useMutation } from '@tanstack/react-query'
import { useServices } from '@/app/Services'

export function useLogin() {
  const { client } = useServices()
  return useMutation({ mutationFn: (token: string) => client.login(token) })
}

export function useLogout() {
  const { client } = useServices()
  return useMutation({ mutationFn: () => client.logout() })
}
